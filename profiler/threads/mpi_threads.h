/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads that MPI's libraries make for themselves. UCX has one: it sleeps in epoll_wait, and is woken,
 * above all, by the first message of a peer; then it holds a lock of UCX's. A child that is forked just then
 * never sees the lock free. So epoll_wait is interposed, and a rank is forked only while all these threads
 * are in there.
 */
#ifndef PROF_MPI_THREADS_H
#define PROF_MPI_THREADS_H

#include <stdbool.h>

/* Before a fork: waits until MPI's threads sleep, and keeps them there. False: one of them does not. */
bool prof_mpi_threads_stop(void);
/* After it, in the parent. */
void prof_mpi_threads_go_on(void);
/* In the child, which has none of them. */
void prof_mpi_threads_forked(void);
/* Between two polls of the program, so that it alone changes the memory of the process; for a fraction of a
 * second of the processor's time, and for some seconds, at most. */
bool prof_mpi_threads_hold(void);
void prof_mpi_threads_let_go(void);

#endif
