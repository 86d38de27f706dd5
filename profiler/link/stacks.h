/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites with their callers (--stacks). What stands for a site everywhere (a return address) is then the
 * address of a struct prof_stack, one for each different stack: who keeps sites, or compares them, need not
 * know of it. Only prof_site_number looks into it, when it tells the scheduler.
 *
 * Stacks are never freed: there are as many as the program has ways to its MPI calls.
 */
#ifndef PROF_STACKS_H
#define PROF_STACKS_H

#include <stdint.h>

#define PROF_STACK_FRAMES 17 /* the site and 16 callers */

struct prof_stack {
    uint32_t n;
    const void *frames[PROF_STACK_FRAMES]; /* return addresses, innermost first */
};

/* From now on sites are stacks, if this process can unwind its stack. */
void prof_stacks_begin(void);
/* The site of these frames. */
const void *prof_stack_site(const void *const *frames, uint32_t n);
/* NULL: the site is an address. */
const struct prof_stack *prof_stack_of(const void *site);

#endif
