/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breakpoints at messages (message_break.h) in the recorded interleaving. They are known beforehand: going
 * forward, a rank may come to the next event that one is about, and not pass it; going back, one goes to the
 * last. A rank stops at a call before it is made; of one that makes several events (MPI_Sendrecv) each
 * counts.
 */
#ifndef SCHED_DEBUG_BREAKS_H
#define SCHED_DEBUG_BREAKS_H

#include "message_break.h"
#include "motion.h"

struct sched_breaks;

struct sched_breaks *sched_breaks_create(int ranks);
void sched_breaks_destroy(struct sched_breaks *breaks);

/* Takes `what`. `set`: for which ranks. Returns how many events of the interleaving match. */
uint64_t sched_breaks_add(struct sched_session *session, int number, const struct sched_message_break *what,
                          const bool *set);
void sched_breaks_delete(struct sched_breaks *breaks, int number);
/* For which ranks it is; NULL: there is none of this number. */
const bool *sched_breaks_ranks(const struct sched_breaks *breaks, int number);

/* The number of one that is about this event; 0: none. */
int sched_breaks_at(const struct sched_session *session, struct sched_record_name name);
/* The last event of a rank before this one at which it stops. False: there is none. */
bool sched_breaks_before(const struct sched_session *session, struct sched_record_name event,
                         uint64_t *number);

/* How far ranks may come when those of the set move; caller frees. A rank of the set that stands at such an
 * event passes it; so does another one that has stopped there before. */
struct sched_motion_cap *sched_breaks_caps(struct sched_session *session, const bool *set);
/* After the motion: ranks that have come to such an event do not move any further; of the others `reached` is
 * false. */
void sched_breaks_stop(struct sched_session *session, struct sched_motion_cap *caps);

#endif
