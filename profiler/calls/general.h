/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalized requests (MPI-4.0, section 13.2), and MPICH's extension of them by functions that poll and
 * wait. To the scheduler, one is a receive from nobody that is held until MPI_Grequest_complete. The
 * program's functions are called as by MPI, but outside of the wrapper: what they call is recorded like
 * everything else.
 */
#ifndef PROF_GENERAL_H
#define PROF_GENERAL_H

#include "engine/operations.h"

/* Before the scheduler is asked about these requests: lets those that can do so make progress. wait: the
 * call returns only when all of them are complete. Requests of other kinds are left alone. */
void prof_general_progress(int count, const MPI_Request *requests, bool wait);
/* It is complete: asks the program for its status, which becomes op->status, and op->error. */
void prof_general_settle(struct prof_op *op);
/* The request is gone, by a completion or by MPI_Request_free. Returns what free_fn says. */
int prof_general_free(struct prof_op *op);
/* MPI_Cancel. */
int prof_general_cancel(const struct prof_op *op);

#endif
