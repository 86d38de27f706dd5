/* SPDX-License-Identifier: BSD-3-Clause */
/* In which loop of the program a process is, by its stacks at several times: what they have in common is
 * outside of the loop, and where they part is the function that has it. So one loop is told once, wherever in
 * it the process was looked at. */
#ifndef SCHED_LOOP_H
#define SCHED_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "sites/sites.h"

enum { SCHED_STACK_MAX = 64 };

struct sched_stack {
    uint32_t frames[SCHED_STACK_MAX]; /* innermost first */
    size_t n;
};

struct sched_loop {
    uint32_t site; /* its first line that was seen; 0: it is not known */
    char *name;    /* the same for the same loop, in a run and another; caller frees */
};

/* The first stack is not empty. */
struct sched_loop sched_loop_find(struct sched_sites *sites, const struct sched_stack *stacks, size_t n);

#endif
