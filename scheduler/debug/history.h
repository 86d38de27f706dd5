/* SPDX-License-Identifier: BSD-3-Clause */
/* Where one has been, for `back` and `forward`: cuts with the focus there, and the spot of the focus if it
 * was at a line. */
#ifndef SCHED_DEBUG_HISTORY_H
#define SCHED_DEBUG_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct sched_history;
struct sched_spot;

struct sched_history_place {
    uint64_t *limits;
    int focus;
    struct sched_spot *spot; /* NULL: the focus was at a call, or in one */
};

struct sched_history *sched_history_create(int ranks);
void sched_history_destroy(struct sched_history *history);
/* The present place. What was forward of the last one is forgotten. The same place twice is one. */
void sched_history_add(struct sched_history *history, const uint64_t *limits, int focus);
/* The same, where the focus is at a line; takes what is in the spot. */
void sched_history_add_spot(struct sched_history *history, const uint64_t *limits, int focus,
                            struct sched_spot *spot);
/* Moves by one; NULL: there is none. Good until the next one is added. */
const struct sched_history_place *sched_history_back(struct sched_history *history);
const struct sched_history_place *sched_history_forward(struct sched_history *history);
/* Of another interleaving: all is forgotten. */
void sched_history_clear(struct sched_history *history);

#endif
