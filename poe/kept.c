/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI keeps: see kept.h. */
#include "kept.h"

#include <string.h>

bool poe_kept_may_be(const struct isp_call *call)
{
    switch (call->op) {
    case ISP_OP_SEND:
        return (call->mode == ISP_SEND_STANDARD || call->mode == ISP_SEND_READY) &&
               call->peer != ISP_NO_RANK && !(call->flags & ISP_F_SIGNAL) && !isp_call_is_unit(call);
    case ISP_OP_COLLECTIVE:
        return (call->flow != ISP_FLOW_ALL || call->flags & ISP_F_TAKES_NOTHING) &&
               (call->flags & ISP_F_SLOT);
    case ISP_OP_DETACH: return true;
    default: return false;
    }
}

static int compare(const struct poe_name *a, const struct poe_op *op)
{
    if (a->rank != op->t.rank)
        return a->rank < op->t.rank ? -1 : 1;
    return a->index < op->t.index ? -1 : a->index > op->t.index;
}

bool poe_kept_waits(const struct poe *poe, const struct poe_op *op)
{
    if (!poe->config.mixed || !poe_kept_may_be(&op->t.call))
        return false;
    size_t first = 0, end = poe->config.n_kept;
    while (first < end) {
        size_t middle = (first + end) / 2;
        int order = compare(&poe->config.kept[middle], op);
        if (order == 0)
            return false;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return true;
}

void poe_kept_init(struct poe *poe, const struct poe_config *config)
{
    if (!config->n_kept)
        return;
    struct poe_name *kept = poe_arena_new(poe->arena, config->n_kept * sizeof *kept);
    memcpy(kept, config->kept, config->n_kept * sizeof *kept);
    poe->config.kept = kept;
}
