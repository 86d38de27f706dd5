/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that polls a window: it reads its memory again and again, by MPI_Fetch_and_op, by MPI_Get, or by
 * loads between calls of MPI_Win_sync, until another rank has written. None of these calls is recorded, and
 * the rank never waits, so nothing that needs all ranks to wait would ever be decided: a wildcard, a lock. So
 * a rank that has done nothing but access windows for a while says so (ISP_MSG_POLLS); it counts as waiting
 * until its next record. Meanwhile it does what the scheduler wants issued, and lets MPI work, as if it
 * waited in a fence.
 *
 * With threads that have program orders of their own (thread.h) the rank waits only when all of them do,
 * which quiet.h finds out or guesses. What accesses windows there tells only that it is not silent: it may be
 * at work, and gets more time.
 */
#ifndef PROF_POLLING_H
#define PROF_POLLING_H

/* With each record: what was a poll is over. */
void prof_polling_over(void);

#endif
