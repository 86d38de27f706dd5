/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deadlocks that predict/ sees in the calls of a run, shown by runs that are led there. A prediction is never
 * reported: only what its run shows is, under the name of that run. These runs are no interleavings of the
 * search, and are not counted; what they find is kept apart until the end (sched_predicted_settle), so that a
 * search that comes to its end reports what it would without them.
 */
#ifndef SCHED_PREDICTED_H
#define SCHED_PREDICTED_H

#include "explore.h"

/* Whether predictions are to be made for certain, since the search is bounded: then its first run is
 * recorded. */
bool sched_predicted_is_wanted(const struct sched_options *options);

/* A recorded run is over: calls[0], calls[1] become its calls, for what buffering may be without and with
 * buffered sends; NULL where that is not explored. told: what it has shown is in the result, and need not be
 * shown by another run. */
void sched_predicted_take_calls(struct sched_recorded_calls *calls[2], const struct sched_options *options,
                                const struct sched_run_state *state, bool told);

/* After the first run of an exploration, whose decisions are in x->choices and whose calls, if it was
 * recorded, in x->calls: if the search is bounded or long. Makes at most 20 runs for each kind of buffering,
 * of which 8 may show no deadlock, and one to record the calls if that was not done. */
void sched_predicted_look(struct sched_explore *x);

/* A run of the search is over: whether it has made the same calls as those before. */
void sched_predicted_note_run(struct sched_result *result, enum sched_ending ending,
                              const struct sched_replay_check *check);

/* All parts are there: what the search has not found itself is put among its findings. */
void sched_predicted_settle(struct sched_result *result);

#endif
