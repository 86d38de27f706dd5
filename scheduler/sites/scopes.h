/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the units of a module, and what is inlined in them, by addresses. A function with hundreds
 * of calls would have its tree searched for each of them: so what lies in a unit or in a function is read
 * once, when an address in it is asked for first, and kept as a list of ranges.
 */
#ifndef SCHED_SCOPES_H
#define SCHED_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "functions.h"

struct sched_scopes;

/* A unit, a function, an inlined one, or a block. */
struct sched_scope {
    Dwarf_Die die;
    struct sched_function_facts *facts; /* NULL: not asked for */
    /* those that have addresses, in the order of the debug information */
    struct sched_scope *inside;
    struct sched_scope_range *ranges; /* of addresses; each names one of them */
    size_t n_inside, n_ranges;
    bool is_read;
};

enum { SCHED_SCOPES_DEEPEST = 32 };

struct sched_scopes *sched_scopes_create(void);
/* Before the module is closed. NULL is allowed. */
void sched_scopes_destroy(struct sched_scopes *scopes);

/* The innermost function around an address of this unit, and those that it is inlined in; at most
 * SCHED_SCOPES_DEEPEST. Returns how many. */
int sched_scopes_around(struct sched_scopes *scopes, Dwarf_Die *unit, Dwarf_Addr address,
                        struct sched_scope **functions);
const struct sched_function_facts *sched_scope_facts(struct sched_scope *function, Dwarf_Die *unit);

#endif
