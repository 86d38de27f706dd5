/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a rank: which process is one, its MPI_Init, MPI_Finalize and exit. */
#ifndef PROF_LIFECYCLE_H
#define PROF_LIFECYCLE_H

#include <stdbool.h>
#include <sys/types.h>

/* fork(), but the child is not one of the program: it is this rank, as soon as it has called
 * prof_lifecycle_forked. */
pid_t prof_lifecycle_fork(void);
void prof_lifecycle_forked(void);

/* The process is about to end, in a handler for its exit: that is told now. False: exit() was not called
 * since MPI_Init. */
bool prof_lifecycle_tell_exit(void);

/* MPI_Init and each session use MPI; the run begins with the first user, and ends with the last. */
void prof_run_begin(void);
/* True: all ranks are at the end; then call prof_run_end. False: others here still use MPI. */
bool prof_run_leave(void);
int prof_run_end(void);

#endif
