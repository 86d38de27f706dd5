/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of higher layers: process/hooks.c sets it before the process acts as a rank. */
#ifndef PROF_OUTSIDE_HOOKS_H
#define PROF_OUTSIDE_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct prof_ignored;

struct prof_outside_hooks {
    /* Adds the memory of the program alone, whose frames lie from `stack` on, without what is ignored. False:
     * MPI's is not kept apart from it, or cannot be told from it. */
    bool (*program)(uint64_t *value, uintptr_t stack, const struct prof_ignored *ignored);
};

extern struct prof_outside_hooks prof_outside_hooks;

#endif
