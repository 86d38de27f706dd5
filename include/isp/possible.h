/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether libisp.so can have made a record, as far as the record alone tells: flags and modes that its kind
 * has. A rank is a process of the program, and may send anything; what goes beyond this is refused by poe,
 * which knows the run (poe_add).
 */
#ifndef ISP_POSSIBLE_H
#define ISP_POSSIBLE_H

#include "isp/call.h"

enum { ISP_JOIN_MOST = 16 }; /* operations of a JOIN */

/* What the records of each kind may have. */
struct isp_possible {
    uint32_t flags; /* at most these */
    uint8_t modes;  /* 0 up to this */
    bool is_fence;  /* always */
};

static inline struct isp_possible isp_possible_of(uint8_t op)
{
    const uint16_t poll = ISP_F_FENCE | ISP_F_POLL | ISP_F_CHANGED | ISP_F_UNSEEN;
    const uint16_t message = ISP_F_FENCE | ISP_F_DETACHED | ISP_F_HELD | ISP_F_SIGNAL | ISP_F_PARTITIONED;
    switch (op) {
    case ISP_OP_SEND: return (struct isp_possible){message | ISP_F_MAP, ISP_SEND_READY, false};
    case ISP_OP_RECV:
        return (struct isp_possible){message | ISP_F_CANCELLABLE | ISP_F_MAP, ISP_RECV_MESSAGE, false};
    case ISP_OP_PROBE: return (struct isp_possible){poll | ISP_F_MATCHED, 0, true};
    case ISP_OP_COMPLETE: return (struct isp_possible){poll | ISP_F_KEEP, ISP_COMPLETE_SOME, true};
    case ISP_OP_COLLECTIVE:
        return (struct isp_possible){ISP_F_FENCE | ISP_F_SUBSET | ISP_F_SLOT | ISP_F_INTERNAL |
                                         ISP_F_IN_PLACE | ISP_F_EITHER_WAY | ISP_F_TAKES_NOTHING | ISP_F_MAP,
                                     ISP_MAKE_INTER, false};
    case ISP_OP_LOCK: return (struct isp_possible){ISP_F_FENCE | ISP_F_CHANGED, ISP_LOCK_ATOMIC, true};
    case ISP_OP_UNLOCK: return (struct isp_possible){ISP_F_FENCE, ISP_LOCK_TURN, false};
    case ISP_OP_CANCEL:
    case ISP_OP_FINALIZE:
    case ISP_OP_DETACH:
    case ISP_OP_ADMIT: return (struct isp_possible){ISP_F_FENCE, 0, true};
    default: return (struct isp_possible){0, 0, false}; /* JOIN, FREE, READY */
    }
}

static inline bool isp_call_is_possible(const struct isp_call *c)
{
    struct isp_possible p = isp_possible_of(c->op);
    bool fence = c->flags & ISP_F_FENCE, detached = c->flags & ISP_F_DETACHED;
    uint32_t any =
        ISP_F_LOOP | ISP_F_GUARDED | ISP_F_TOOK | ISP_F_PERHAPS | ISP_F_BLIND | ISP_F_CONTINUES | ISP_F_ASKS;
    if (c->op < ISP_OP_SEND || c->op > ISP_OP_ADMIT || c->mode > p.modes || (c->flags & ~(p.flags | any)) ||
        (p.is_fence && !fence) || (fence && detached))
        return false;
    switch (c->op) {
    case ISP_OP_PROBE:
    case ISP_OP_COMPLETE: return c->flags & ISP_F_POLL || !(c->flags & (ISP_F_CHANGED | ISP_F_UNSEEN));
    case ISP_OP_RECV:
        if (c->flags & ISP_F_CANCELLABLE && (fence || c->mode != ISP_RECV_NORMAL))
            return false;
        return c->mode != ISP_RECV_MESSAGE ||
               (c->n == 1 && !(c->flags & (ISP_F_SIGNAL | ISP_F_PARTITIONED | ISP_F_HELD)));
    case ISP_OP_JOIN: return c->n > 0 && c->n <= ISP_JOIN_MOST;
    case ISP_OP_COLLECTIVE:
        return c->flags & (ISP_F_FENCE | ISP_F_SLOT) && c->flow <= ISP_FLOW_LAST &&
               (!(c->flags & ISP_F_SUBSET) || c->mode == ISP_MAKE_GROUP);
    default: return true;
    }
}

#endif
