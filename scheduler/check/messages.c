/* SPDX-License-Identifier: BSD-3-Clause */
/* See messages.h. A lost message is known only when every rank has finalized: until then somebody may
 * still receive it. */
#include "messages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "alloc.h"
#include "words.h"

void sched_check_truncation(struct sched_run *run, const struct poe_transition *send,
                            const struct poe_transition *receive)
{
    if (send->call.bytes <= receive->call.bytes)
        return;
    char *sender = sched_words_call(run, &send->call), *place = sched_words_place(run, send->call.site);
    char *receiver = sched_words_call(run, &receive->call);
    struct sched_site_ref sites[] = {{receive->rank, receive->call.fn, receive->call.site},
                                     {send->rank, send->call.fn, send->call.site}};
    int ranks[] = {send->rank < receive->rank ? send->rank : receive->rank,
                   send->rank < receive->rank ? receive->rank : send->rank};
    struct sched_finding finding = {
        .rule = ISP_RULE_TRUNCATION,
        .message = sched_format("the message of %" PRIu64 " bytes from rank %d is longer than the %" PRIu64
                                " bytes that rank %d receives",
                                send->call.bytes, send->rank, receive->call.bytes, receive->rank),
        .story = sched_format("rank %d receives by %s\nrank %d sent by %s at %s\n", receive->rank, receiver, send->rank,
                              sender, place),
        .interleaving = (char *)run->interleaving, .buffered = run->buffered, .ranks = ranks,
        .n_ranks = ranks[0] == ranks[1] ? 1 : 2, .sites = sites, .n_sites = 2, .count = 1};
    char *key = sched_format("truncation %u %u", receive->call.site, send->call.site);
    sched_findings_add(run->findings, key, &finding);
    free(key);
    free(finding.message);
    free(finding.story);
    free(sender);
    free(place);
    free(receiver);
}

void sched_check_unready(struct sched_run *run, const struct poe_transition *send, const struct poe_transition *receive)
{
    if (!run->unready)
        return;
    char *sender = sched_words_call(run, &send->call), *place = sched_words_place(run, receive->call.site);
    char *receiver = sched_words_call(run, &receive->call);
    struct sched_site_ref sites[] = {{send->rank, send->call.fn, send->call.site},
                                     {receive->rank, receive->call.fn, receive->call.site}};
    int ranks[] = {send->rank < receive->rank ? send->rank : receive->rank,
                   send->rank < receive->rank ? receive->rank : send->rank};
    struct sched_finding finding = {
        .rule = ISP_RULE_READY_SEND,
        .message = sched_format("the ready send of rank %d may start before rank %d has posted its receive", send->rank,
                                receive->rank),
        .story = sched_format("rank %d sends by %s\nrank %d receives by %s at %s\nnothing that rank %d has heard of "
                              "comes after that receive was posted (MPI 4.0, 3.4)\n",
                              send->rank, sender, receive->rank, receiver, place, send->rank),
        .interleaving = (char *)run->interleaving, .buffered = run->buffered, .ranks = ranks,
        .n_ranks = ranks[0] == ranks[1] ? 1 : 2, .sites = sites, .n_sites = 2, .count = 1};
    char *key = sched_format("ready %u %u", send->call.site, receive->call.site);
    sched_findings_add(run->unready, key, &finding);
    free(key);
    free(finding.message);
    free(finding.story);
    free(sender);
    free(place);
    free(receiver);
}

static char *tell_size(const struct sched_run *run, const struct poe_transition *send)
{
    return sched_format("%" PRIu64 " byte%s", send->call.bytes, send->call.bytes == 1 ? "" : "s");
}

static char *tell_message(const struct sched_run *run, const struct poe_transition *probe)
{
    return sched_format("took the message of rank %d, tag %d", probe->source, probe->tag);
}

void sched_check_lost(struct sched_run *run, const struct sched_groups *sends, const struct sched_groups *probes)
{
    for (size_t i = 0; i < sends->n; i++) {
        const struct sched_group *g = &sends->groups[i];
        const struct poe_transition *t = g->members[0];
        char *message = g->n == 1
                            ? sched_format("the message from rank %d to rank %d (tag %d) is never received", t->rank,
                                           t->call.peer, t->call.tag)
                            : sched_format("%zu messages that are sent here are never received", g->n);
        sched_group_report(run, g, ISP_RULE_LOST_MESSAGE, message, 1, tell_size);
        free(message);
    }
    for (size_t i = 0; i < probes->n; i++)
        sched_group_report(run, &probes->groups[i], ISP_RULE_LEAK_MESSAGE,
                           "a matched message is never received: no MPI_Mrecv or MPI_Imrecv follows",
                           probes->groups[i].n, tell_message);
}
