/* SPDX-License-Identifier: BSD-3-Clause */
/* One interleaving of a trace, in memory: its calls in the order in which isp came to know them, and what
 * they matched. */
#ifndef SCHED_TRACE_PAST_H
#define SCHED_TRACE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "query.h"

/* What many calls have in common: docs/trace.md. Texts may be NULL, numbers that do not belong to it are
 * INT64_MIN. */
struct sched_past_kind {
    int64_t id;
    char *op, *mode, *function, *label, *file, *caller; /* caller: the function of the program */
    int64_t line, thread, comm, peer, tag, root, flags;
    UT_hash_handle hh;
};

struct sched_past_call {
    const struct sched_past_kind *kind;
    int64_t rank, number;              /* number: -1 if it has none */
    int32_t first_request, n_requests; /* in `list`: calls, or -1 */
    int32_t match;                     /* in `matches`: the one that completed it, or -1; of a send never a
                                          probe */
};

struct sched_past_match {
    int32_t after;                   /* the last call that was known then, or -1 */
    int32_t send, receive;           /* calls; -1 of a collective */
    int32_t first_member, n_members; /* in `list`: calls */
};

struct sched_past_waiting {
    int64_t rank, thread;
    int32_t call; /* or -1 */
    bool finished, any;
    int32_t first_rank, n_ranks;      /* in `list`: whom it waits for */
    int32_t first_pending, n_pending; /* in `list`: calls that are not complete, or -1 */
};

struct sched_past {
    struct sched_asked *asked;
    struct sched_past_kind *kinds; /* of all that was read so far */
    char *name, *ending;
    bool buffered;
    /* It is merged: goes on as another one does from its choice point `decision` on (from 0), and stands for
     * so many; joins NULL: it is not. */
    char *joins;
    int64_t decision, stands_for;
    struct sched_past_call *calls;
    struct sched_past_match *matches;
    struct sched_past_waiting *waiting;
    int32_t *list;
    int32_t n_calls, n_matches, n_waiting, n_list;
};

void sched_past_init(struct sched_past *past, struct sched_asked *asked);
/* Replaces what is there. False: the trace has no such interleaving, or is damaged. */
bool sched_past_read(struct sched_past *past, int64_t interleaving);
void sched_past_finish(struct sched_past *past);

static inline bool sched_past_is(const struct sched_past_call *call, const char *op)
{
    return call->kind->op && strcmp(call->kind->op, op) == 0;
}

#endif
