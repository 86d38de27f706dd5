/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders of two threads' calls that no run has: which thread gets a mutex first is the program's to say, not
 * isp's. They are told by poe_unordered (poe.h), and the verdict is incomplete.
 */
#ifndef POE_UNORDERED_H
#define POE_UNORDERED_H

#include "state.h"

/* A call that was admitted. */
struct poe_admitted {
    unsigned decision; /* of the run, by which it was */
    uint32_t number;   /* among the admissions of its thread, from 1 */
    bool raced;
    uint64_t at;          /* in admissions of the run */
    uint64_t woken_at;    /* of its thread, at that time */
    struct isp_call call; /* without its list */
};

/* Nobody runs the other order of these two. The first that is noted is kept. */
void poe_note_unordered(struct poe *poe, int rank, enum poe_unordered_why why, const struct isp_call *first,
                        const struct isp_call *second);
/* ... of calls that compete. */
void poe_note_competing(struct poe *poe, int rank, const struct isp_call *first,
                        const struct isp_call *second);
/* Whether `call` is made under a mutex of these. guards, perhaps: as in isp_call. */
bool poe_share_mutex(uint64_t guards, uint64_t perhaps, const struct isp_call *call);
bool poe_both_share_mutex(const struct isp_call *a, const struct isp_call *b);
/* The thread of the fence goes on, since something has happened whose clock is `done`; called before it
 * knows. If it waited with a mutex for what comes after another thread's call under that mutex, that call
 * came first in every run like this one. */
void poe_unordered_learns(struct poe *poe, const struct poe_op *fence, const struct poe_clock *done);

#endif
