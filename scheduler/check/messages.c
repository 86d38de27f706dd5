/* SPDX-License-Identifier: BSD-3-Clause */
/* See messages.h. A lost message is known only when every rank has finalized: until then somebody may
 * still receive it. */
#include "messages.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "pair.h"

void sched_check_truncation(struct sched_run *run, const struct poe_transition *send,
                            const struct poe_transition *receive)
{
    if (send->call.bytes <= receive->call.bytes)
        return;
    struct sched_draft *d = sched_pair_draft(run, ISP_RULE_TRUNCATION, receive, send);
    sched_draft_message(d,
                        "the message of %" PRIu64 " bytes from rank %d is longer than the %" PRIu64
                        " bytes that rank %d receives",
                        send->call.bytes, send->rank, receive->call.bytes, receive->rank);
    sched_draft_end(d);
}

void sched_check_ready(struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    if (!send->unready)
        return;
    struct sched_draft *d = sched_pair_draft(run, ISP_RULE_READY_SEND, send, receive);
    sched_draft_message(d,
                        "the ready send of rank %d may begin before rank %d has posted its receive: nothing "
                        "orders them",
                        send->rank, receive->rank);
    sched_draft_end(d);
}

void sched_check_space(struct sched_run *run, const struct poe_transition *send)
{
    if (!send->crowd)
        return;
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_BSEND_BUFFER);
    sched_draft_message(d,
                        "the message needs %" PRIu64 " bytes of the attached buffer, which has %" PRIu64
                        ", and messages that may still be pending take %" PRIu64,
                        send->call.reserved, send->call.attached, send->crowd);
    sched_draft_line(
        d, "of these nothing that rank %d has been told makes certain that they are received by then",
        send->rank);
    sched_draft_at(d, send);
    sched_draft_end(d);
}

static char *tell_size(const struct sched_run *run, const struct poe_transition *send)
{
    return sched_format("%" PRIu64 " byte%s", send->call.bytes, send->call.bytes == 1 ? "" : "s");
}

static char *tell_message(const struct sched_run *run, const struct poe_transition *probe)
{
    return sched_format("took the message of rank %d, tag %d", probe->source, probe->tag);
}

void sched_check_lost(struct sched_run *run, const struct sched_groups *sends,
                      const struct sched_groups *probes)
{
    for (size_t i = 0; i < sends->n; i++) {
        const struct sched_group *g = &sends->groups[i];
        const struct poe_transition *t = g->members[0];
        struct sched_draft *d = sched_group_draft(run, g, ISP_RULE_LOST_MESSAGE, tell_size);
        if (g->n == 1)
            sched_draft_message(d, "the message from rank %d to rank %d (tag %d) is never received", t->rank,
                                t->call.peer, t->call.tag);
        else
            sched_draft_message(d, "%zu messages that are sent here are never received", g->n);
        sched_draft_end(d);
    }
    for (size_t i = 0; i < probes->n; i++) {
        struct sched_draft *d =
            sched_group_draft(run, &probes->groups[i], ISP_RULE_LEAK_MESSAGE, tell_message);
        sched_draft_message(d, "a matched message is never received: no MPI_Mrecv or MPI_Imrecv follows");
        sched_draft_count(d, probes->groups[i].n);
        sched_draft_end(d);
    }
}
