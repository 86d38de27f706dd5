/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the source has an address: in a function, and in those that it is inlined in. */
#ifndef SCHED_RESOLVE_H
#define SCHED_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>

#include "module.h"

/* What the debug information says of a function that tells a wrapper from one that does more (wrappers.h).
 * Functions are the same if they are declared at the same line: instances of a template, inlined copies. */
struct sched_function {
    char *key;           /* where it is declared, or its symbol */
    bool here;           /* there is debug information, and its source is not the system's */
    unsigned lines;      /* of its source that have code */
    unsigned calls;      /* in its code; 0: not known */
    unsigned parameters; /* with `this`, or what a lambda has caught */
};

struct sched_place {
    char *file;       /* as the compiler was told; NULL: unknown */
    char *folder;     /* where it was; or NULL */
    int line, column; /* column 0: unknown */
    char *name;       /* of the function, or NULL */
    bool loops;       /* a loop of the function goes round this place, as far as lines show */
    struct sched_function function;
};

/* The innermost first; at least one. Caller frees, with sched_resolve_destroy. *is_main: the program begins
 * in the last of them. */
struct sched_place *sched_resolve_address(struct sched_module *module, Dwarf_Addr address, size_t *n,
                                          bool *is_main);
void sched_resolve_destroy(struct sched_place *places, size_t n);

#endif
