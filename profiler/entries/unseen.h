/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI that do not come by here. A module that is opened with RTLD_DEEPBIND takes MPI's functions
 * from MPICH itself, and one in another namespace of the dynamic linker (dlmopen) brings a copy of MPICH
 * with it. Neither is common, and neither can be led elsewhere; so the program is told that it is
 * unsupported, by the name of the module.
 */
#ifndef PROF_UNSEEN_H
#define PROF_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>

/* The program has opened something in one of these ways: look at the end. */
extern bool prof_unseen_possible;

/* True: there is such a module. Writes what is to be said about it. */
bool prof_unseen_find(char *text, size_t size);

#endif
