/* SPDX-License-Identifier: BSD-3-Clause */
/* What formats want to know of an interleaving beside its calls: in which order they took place, and which
 * must complete before which. */
#ifndef SCHED_REPORT_SEQUENCE_H
#define SCHED_REPORT_SEQUENCE_H

#include "trace/past.h"

struct sched_sequence {
    int32_t *order;                /* of each call, from 1: when it took place; -1: it did not, or has no
                                      number */
    int32_t *index;                /* of each call: which one of its rank it is, from 0; -1: it has no
                                      number */
    int32_t *first;                /* of each call, and one more: where those begin in `next` that directly
                                      come after it on its rank */
    int32_t *next;                 /* calls, ascending */
    int32_t *rank_first, *by_rank; /* of each rank, and one more: where its calls with numbers begin in
                                      `by_rank` */
    int64_t ranks;                 /* one more than the largest rank */
};

void sched_sequence_init(struct sched_sequence *sequence, const struct sched_past *past);
void sched_sequence_finish(struct sched_sequence *sequence);

#endif
