/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's progress. An access to a window may need the MPI of its target to do something (under isp always: the
 * shared-memory transport of UCX carries only messages). A rank that waits for the scheduler is not inside
 * MPI; so while it has a window it lets MPI work from time to time, and with some MPIs all the time
 * (transport.h).
 */
#ifndef PROF_PROGRESS_H
#define PROF_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A rank sleeps without a bell only after it has waited for so long. A sleep is 60 us, however little is
 * asked for, in which whoever waits for this rank comes to sleep as well. */
enum { PROF_PROGRESS_SPIN_NS = 1000000 };

/* The thread begins a call, or asks MPI whether something has come: that MPI had nothing to do before does
 * not count, since what was asked for may have needed nothing (a message to itself), and who asks rests
 * himself in between. */
void prof_progress_begin(void);
/* Gives the core away if nothing has happened for so many calls; ends with the run. */
void prof_progress_give_way(unsigned idle_calls);
/* more: +1 when a window is made, -1 when one is freed. */
void prof_progress_needed(int more);
/* ... or of a rank that goes ahead, or with such an MPI. */
bool prof_progress_is_needed(void);
bool prof_progress_has_windows(void);
/* How often MPI has got on with something in this thread. */
unsigned long prof_progress_made(void);
/* Lets MPI work until there is something to read from fd, or (false) for some timeout_ns (below 0: for
 * ever). */
bool prof_progress_until(int fd, int64_t timeout_ns);

#endif
