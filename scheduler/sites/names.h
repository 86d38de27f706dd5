/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of functions, as their languages write them: "strip::diagnose", "mpi::Channel<int, 4>::send". */
#ifndef SCHED_NAMES_H
#define SCHED_NAMES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* By the debug information of a function, which may be an inlined one. NULL: it has no name. Caller frees. */
char *sched_name_of_die(Dwarf_Die *function);
/* The closure whose function it is. False: it is no lambda. */
bool sched_name_closure(Dwarf_Die *function, Dwarf_Die *closure);
/* Of a symbol of C++ or Fortran, without parameters; another one as it is. Caller frees. */
char *sched_name_of_symbol(const char *symbol);
/* Behind the namespaces, classes or the module: "send<int>". */
const char *sched_name_plain(const char *name);
/* The namespaces, classes or the module before that: so many bytes; 0: it is in none. */
size_t sched_name_scope(const char *name);

#endif
