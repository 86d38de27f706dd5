/* SPDX-License-Identifier: BSD-3-Clause */
/* See partner.h. */
#include "partner.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "deeds.h"
#include "isp/functions.h"
#include "words/words.h"

/* The ranks that it waits for; NULL: none. */
static char *missing(const struct sched_run *run, const struct poe_transition *t)
{
    int *ranks = sched_alloc((size_t)run->options->ranks, sizeof *ranks);
    unsigned n = poe_missing(run->poe, t, ranks);
    char *who = n ? sched_words_ranks(ranks, n) : NULL;
    free(ranks);
    return who;
}

static char *by_ranks(const struct sched_run *run, const struct poe_transition *t)
{
    char *who = missing(run, t), *text;
    if (t->call.op == ISP_OP_LOCK)
        text = who ? sched_format("the lock that %s hold%s", who, strncmp(who, "ranks", 5) == 0 ? "" : "s")
                   : sched_format("the lock");
    else
        text = sched_format("%s to call it", who ? who : "others");
    free(who);
    return text;
}

/* The communicator stands in the call, which is told beside it. */
static char *by_message(const struct isp_call *call)
{
    if (call->op == ISP_OP_SEND)
        return sched_format("a receive by rank %d", call->peer);
    if (call->peer == ISP_ANY_SOURCE)
        return sched_format("a message from any rank");
    return sched_format("a message from rank %d", call->peer);
}

char *sched_words_partner(const struct sched_run *run, const struct poe_transition *t)
{
    const struct isp_call *call = &t->call;
    if (call->op == ISP_OP_COLLECTIVE || call->op == ISP_OP_LOCK)
        return by_ranks(run, t);
    if (t->held)
        return sched_format(call->peer == ISP_NO_RANK ? "MPI_Grequest_complete by this rank itself"
                                                      : "MPI_Pready of every partition by this rank itself");
    if (call->flags & ISP_F_SIGNAL)
        return sched_format(
            call->peer == ISP_ANY_SOURCE ? "any rank to do its part" : "rank %d to do its part", call->peer);
    return by_message(call);
}

char *sched_words_operation_spot(const struct sched_run *run, const struct poe_transition *t)
{
    const struct sched_made *made = sched_deeds_maker(run->deeds, t);
    return sched_words_spot(run, made ? made->site : t->call.site);
}

char *sched_words_operation(const struct sched_run *run, const struct poe_transition *t)
{
    const struct sched_made *made = sched_deeds_maker(run->deeds, t);
    char *place = sched_words_operation_spot(run, t);
    char *text = sched_format("%s at %s", isp_fn_name((enum isp_fn)(made ? made->fn : t->call.fn)), place);
    free(place);
    return text;
}

char *sched_words_whereabouts(const struct sched_run *run, int rank)
{
    const struct poe_wait *w = poe_wait(run->poe, rank);
    if (w->finished)
        return sched_format("has finished");
    if (!w->at)
        return sched_format("is outside MPI");
    char *call = sched_words_call(run, &w->at->call), *place = sched_words_place(run, w->at->call.site);
    char *text = sched_format("is in %s at %s", call, place);
    free(call);
    free(place);
    return text;
}
