/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a call of a rank that goes ahead came to, where MPI may let it come to something else; and, the other
 * way, what it must come to when the run is made again. No more is needed to know which message a receive
 * took: those of one sender match in order (MPI-4.1, section 3.5).
 */
#ifndef ISP_OUTCOME_H
#define ISP_OUTCOME_H

#include "isp/wire.h"

struct isp_outcome {
    uint64_t index;       /* of the transition in its rank's program order (poe.h) */
    int32_t source, tag;  /* a receive, or a probe: of the message (world rank); else, and of a receive that
                             was cancelled, -1 */
    uint32_t n;           /* COMPLETE ANY and SOME, and a poll that MPI says yes to: how many ... */
    const uint32_t *list; /* ... and which positions of the record's list completed (ascending) */
    /* A poll that isp was asked about, since MPI had said no, and to which MPI says yes now: isp agrees at
     * once, unless it has answered already; then this does not count. */
    bool asked;
};

/* Of this receive or probe it is told which message it took: the call does not say it. */
static inline bool isp_call_tells_message(const struct isp_call *c)
{
    bool receive = c->op == ISP_OP_RECV && c->mode != ISP_RECV_MESSAGE;
    bool any = c->peer == ISP_ANY_SOURCE || c->tag == ISP_ANY_TAG;
    return (receive && (any || c->flags & ISP_F_CANCELLABLE)) || (c->op == ISP_OP_PROBE && any);
}

static inline void isp_put_outcome(struct isp_buf *b, const struct isp_outcome *o)
{
    isp_put_u64(b, o->index);
    isp_put_i32(b, o->source);
    isp_put_i32(b, o->tag);
    isp_put_list(b, o->list, o->n);
    isp_put_u8(b, o->asked);
}

/* Its list is copied to `room` (max entries). */
static inline void isp_get_outcome(struct isp_reader *r, struct isp_outcome *o, uint32_t *room, uint32_t max)
{
    o->index = isp_get_u64(r);
    o->source = isp_get_i32(r);
    o->tag = isp_get_i32(r);
    o->n = isp_get_list(r, room, max);
    o->asked = isp_get_u8(r) != 0;
    o->list = room;
}

#endif
