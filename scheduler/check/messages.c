/* SPDX-License-Identifier: BSD-3-Clause */
/* See messages.h. A lost message is known only when every rank has finalized: until then somebody may
 * still receive it. */
#include "messages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "pair.h"

void sched_check_truncation(struct sched_run *run, const struct poe_transition *send,
                            const struct poe_transition *receive)
{
    if (send->call.bytes > receive->call.bytes)
        sched_pair_report(run, ISP_RULE_TRUNCATION, receive, send,
                          sched_format("the message of %" PRIu64
                                       " bytes from rank %d is longer than the %" PRIu64
                                       " bytes that rank %d receives",
                                       send->call.bytes, send->rank, receive->call.bytes, receive->rank),
                          NULL);
}

void sched_check_ready(struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive)
{
    if (send->unready)
        sched_pair_report(
            run, ISP_RULE_READY_SEND, send, receive,
            sched_format("the ready send of rank %d may begin before rank %d has posted its receive: nothing "
                         "orders them",
                         send->rank, receive->rank),
            NULL);
}

void sched_check_space(struct sched_run *run, const struct poe_transition *send)
{
    if (!send->crowd)
        return;
    struct sched_site_ref site = {.rank = send->rank, .fn = send->call.fn, .site = send->call.site};
    int rank = send->rank;
    struct sched_finding finding = {
        .rule = ISP_RULE_BSEND_BUFFER,
        .message =
            sched_format("the message needs %" PRIu64 " bytes of the attached buffer, which has %" PRIu64
                         ", and messages that may still be pending take %" PRIu64,
                         send->call.reserved, send->call.attached, send->crowd),
        .story = sched_format(
            "of these nothing that rank %d has been told makes certain that they are received by then\n",
            rank),
        .interleaving = (char *)run->interleaving,
        .buffered = run->buffered,
        .ranks = &rank,
        .n_ranks = 1,
        .sites = &site,
        .n_sites = 1,
        .count = 1};
    sched_findings_add(run->findings, NULL, &finding);
    free(finding.message);
    free(finding.story);
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
        char *message = g->n == 1
                            ? sched_format("the message from rank %d to rank %d (tag %d) is never received",
                                           t->rank, t->call.peer, t->call.tag)
                            : sched_format("%zu messages that are sent here are never received", g->n);
        sched_group_report(run, g, ISP_RULE_LOST_MESSAGE, message, 1, tell_size);
        free(message);
    }
    for (size_t i = 0; i < probes->n; i++)
        sched_group_report(run, &probes->groups[i], ISP_RULE_LEAK_MESSAGE,
                           "a matched message is never received: no MPI_Mrecv or MPI_Imrecv follows",
                           probes->groups[i].n, tell_message);
}
