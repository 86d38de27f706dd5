/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of a recorded run (poe_config.record), told to predict/; and the way back: what a prediction
 * means at a choice point of another run of the program.
 */
#ifndef SCHED_RECORDED_CALLS_H
#define SCHED_RECORDED_CALLS_H

#include <stdbool.h>

#include "poe/poe.h"
#include "predict/predict.h"

struct sched_recorded_calls;

/* poe: of a run that is over. buffered: what happens if standard sends are buffered, however that run was.
 * stuck: it was like that, and has ended in a deadlock that is told. A poll that said *not yet* is left out,
 * and one that succeeded is taken for a wait. */
struct sched_recorded_calls *sched_recorded_calls_create(struct poe *poe, int ranks, bool buffered,
                                                         bool stuck);
void sched_recorded_calls_destroy(struct sched_recorded_calls *calls);

struct predict *sched_recorded_calls_predict(const struct sched_recorded_calls *calls);
/* Whether what the program calls may depend on more than what its receives take: it polls, or waits for some
 * of several. */
bool sched_recorded_calls_vary(const struct sched_recorded_calls *calls);

/* After PREDICT_DEADLOCK: it is the one in which the recorded run has ended. */
bool sched_recorded_calls_is_told(const struct sched_recorded_calls *calls);
/* After PREDICT_DEADLOCK: a run is led along the prediction from its beginning. patient: what takes a message
 * that is not there yet waits for it; else it takes the first one that is. */
void sched_recorded_calls_begin(struct sched_recorded_calls *calls, bool patient);
/* The alternative to take; choice->n is *later*. When a rank has made another call than the recorded one, the
 * run has left the way, and patience ends. */
unsigned sched_recorded_calls_follow(struct sched_recorded_calls *calls, struct poe *poe,
                                     const struct poe_choice *choice);

#endif
