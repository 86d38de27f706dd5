/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of variables (variables.h): members and elements by their place. */
#ifndef SCHED_VARIABLE_TYPES_H
#define SCHED_VARIABLE_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct sched_variable;

/* The type of a variable or member, or what a pointer or an array is of: without names for it (typedef) and
 * qualifiers. False: it has none. */
bool sched_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* "ns::Class::" around a declaration; caller frees. */
char *sched_type_names_around(Dwarf_Die *die);
/* Goes to the member or element so far from the beginning: appends that to its name, and sets what kind of
 * value it is, and where it begins. */
void sched_type_describe(Dwarf_Die *type, uint64_t behind, struct sched_variable *variable);

#endif
