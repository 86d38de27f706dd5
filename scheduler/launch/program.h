/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether isp can run and watch a program, decided before anything is launched. */
#ifndef SCHED_PROGRAM_H
#define SCHED_PROGRAM_H

#include <stdbool.h>

/* The file that execvp would run for `name`. Caller frees; NULL if there is none. */
char *sched_program_find(const char *name);

/* The name of the file that the path leads to: its last part. */
const char *sched_program_base(const char *path);

/* NULL if `path` (of a program called `name` by the user) can be watched, else one line that says why
 * not and what to do. Caller frees. */
char *sched_program_refuse(const char *name, const char *path);

/* The profiler was linked into this program (isp-cc): it must not be preloaded. */
bool sched_program_has_profiler(const char *path);

/* The library of MPI that the program names itself; caller frees. NULL: none, or it is a script. */
char *sched_program_mpi(const char *path);

#endif
