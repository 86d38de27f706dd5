/* SPDX-License-Identifier: BSD-3-Clause */
/* Where one has been: cuts with the focus there, for `back` and `forward`. */
#ifndef SCHED_DEBUG_HISTORY_H
#define SCHED_DEBUG_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct sched_history;

struct sched_history *sched_history_create(int ranks);
void sched_history_destroy(struct sched_history *history);
/* The present place. What was forward of the last one is forgotten. The same place twice is one. */
void sched_history_add(struct sched_history *history, const uint64_t *limits, int focus);
/* Moves by one: the limits there, and *focus; NULL: there is none. */
const uint64_t *sched_history_back(struct sched_history *history, int *focus);
const uint64_t *sched_history_forward(struct sched_history *history, int *focus);
/* Of another interleaving: all is forgotten. */
void sched_history_clear(struct sched_history *history);

#endif
