/* SPDX-License-Identifier: BSD-3-Clause */
/* What pending.c asks of windows/, which tells of buffers that lie in this rank's windows
 * (windows/window_buffers.h says what each of these is). process/hooks.c sets it before the process acts as a
 * rank. */
#ifndef PROF_MEMORY_HOOKS_H
#define PROF_MEMORY_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "regions.h"

struct prof_memory_hooks {
    bool (*windows_any)(void);
    bool (*window_begin)(const struct prof_region *region, bool written, uint64_t number);
    void (*window_done)(uint64_t number);
};
extern struct prof_memory_hooks prof_memory_hooks;

#endif
