/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's progress. An access to a window may need the MPI of its target to do something (under isp always: the
 * shared-memory transport of UCX carries only messages). A rank that waits for the scheduler is not inside
 * MPI; so while it has a window it lets MPI work from time to time. So it does all the time where its MPI is not
 * MPICH with UCX: what carries the messages may then need the sender (MPICH with libfabric does).
 */
#ifndef PROF_PROGRESS_H
#define PROF_PROGRESS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* After MPI_Init: looks which MPI it is. */
void prof_progress_begin(void);
/* Whether isp knows what carries the messages. */
bool prof_progress_is_known(void);
/* PMPI_Wait; gives the core away while nothing happens, whichever MPI it is. */
int prof_progress_wait(MPI_Request *request, MPI_Status *status);
/* more: +1 when a window is made, -1 when one is freed. */
void prof_progress_needed(int more);
bool prof_progress_is_needed(void);
/* Whether this thread gives the core away somewhere else than in MPI, while it waits. */
void prof_progress_rests(bool elsewhere);
/* How often MPI has got on with something in this thread. */
unsigned long prof_progress_made(void);
/* Lets MPI work until there is something to read from fd, or (false) for some timeout_ns (below 0: for
 * ever). */
bool prof_progress_until(int fd, int64_t timeout_ns);

#endif
