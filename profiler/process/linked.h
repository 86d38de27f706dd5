/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the profiler came into this process: preloaded, as a rule; or linked with the program by isp-cc, for
 * builds that cannot be preloaded. And whether the program has anything to do with MPI.
 */
#ifndef PROF_LINKED_H
#define PROF_LINKED_H

#include <stdbool.h>

/* The program has a profiler of its own, and this is not it. */
bool prof_linked_elsewhere(void);

/* The program, or a library that it has loaded, was linked with MPI. */
bool prof_linked_mpi(void);

#endif
