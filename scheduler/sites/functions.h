/* SPDX-License-Identifier: BSD-3-Clause */
/* What the debug information says of a function, or of a copy of it that is inlined: the same for each place
 * in it, so it is looked up once (scopes.h keeps it). */
#ifndef SCHED_FUNCTIONS_H
#define SCHED_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

struct sched_function_line;

struct sched_function_facts {
    char *name; /* or NULL */
    char *key;  /* where it is declared, "file:line"; NULL: unknown, and so are these: */
    unsigned lines, calls, parameters; /* resolve.h */
    int begin;                         /* its first line */
    struct sched_function_line *code;  /* lines behind that one, ascending; private */
    size_t n_code;
};

struct sched_function_facts *sched_function_facts_create(Dwarf_Die *unit, Dwarf_Die *function);
/* NULL is allowed. */
void sched_function_facts_destroy(struct sched_function_facts *facts);
/* A loop of the function goes round this place: code behind the address belongs to a line before this one, as
 * that of a loop does, which steps or asks its condition there. */
bool sched_function_loops(const struct sched_function_facts *facts, Dwarf_Addr address, int line);

#endif
