/* SPDX-License-Identifier: BSD-3-Clause */
/* What is left when every rank has finalized, sorted into what is wrong with it. */
#include <stdlib.h>

#include "groups.h"
#include "base/alloc.h"
#include "isp/functions.h"
#include "collectives.h"
#include "messages.h"
#include "requests.h"

struct left {
    const struct poe_transition **all;
    size_t n;
    struct sched_groups sends, probes, requests, collectives;
};

static void see(const struct poe_transition *t, void *context)
{
    struct left *left = context;
    left->all = sched_grow(left->all, left->n + 1, sizeof *left->all);
    left->all[left->n++] = t;
}

bool sched_check_takes_message(const struct poe_transition *t)
{
    return t->call.op == ISP_OP_PROBE && (t->call.flags & ISP_F_MATCHED) && t->matched;
}

/* A matched probe holds the message: then it is the probe's fault, not the sender's. */
static bool was_probed(const struct left *left, const struct poe_transition *send)
{
    for (size_t i = 0; i < left->n; i++)
        if (sched_check_takes_message(left->all[i]) && left->all[i]->source == send->rank &&
            left->all[i]->source_index == send->index)
            return true;
    return false;
}

/* A signal stands for an order, not for data; and what was never ready was never sent. */
static bool is_lost(const struct left *left, const struct poe_transition *t)
{
    return t->call.op == ISP_OP_SEND && !t->matched && t->call.peer >= 0 && !(t->call.flags & ISP_F_SIGNAL) &&
           !t->held && !isp_call_is_unit(&t->call) && !was_probed(left, t);
}

static bool is_open_request(const struct poe_transition *t)
{
    bool request = t->call.op == ISP_OP_JOIN || t->call.op == ISP_OP_SEND || t->call.op == ISP_OP_RECV ||
                   t->call.op == ISP_OP_COLLECTIVE;
    return request && !t->consumed && t->call.fn != ISP_FN_MPI_Win_fence && !isp_call_is_unit(&t->call);
}

void sched_check_end(struct sched_run *run)
{
    struct left left = {
        .sends = {.run = run}, .probes = {.run = run}, .requests = {.run = run}, .collectives = {.run = run}};
    poe_each_live(run->poe, see, &left);
    for (size_t i = 0; i < left.n; i++) {
        const struct poe_transition *t = left.all[i];
        if (is_lost(&left, t))
            sched_groups_add(&left.sends, t);
        if (sched_check_takes_message(t))
            sched_groups_add(&left.probes, t);
        if (is_open_request(t))
            sched_groups_add(&left.requests, t);
        else if (t->call.op == ISP_OP_COLLECTIVE && !t->matched)
            sched_groups_add(&left.collectives, t);
    }
    sched_check_lost(run, &left.sends, &left.probes);
    sched_check_missing_wait(run, &left.requests);
    sched_check_incomplete(run, &left.collectives);
    sched_groups_finish(&left.sends);
    sched_groups_finish(&left.probes);
    sched_groups_finish(&left.requests);
    sched_groups_finish(&left.collectives);
    free(left.all);
}
