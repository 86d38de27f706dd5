/* SPDX-License-Identifier: BSD-3-Clause */
/* Match sets: see match_set.h. The order in which ready sets fire does not matter for the outcome
 * (none of them can disable another), so they fire in the order in which they got ready. */
#include "match_set.h"

#include "admission.h"
#include "attached.h"
#include "barrier.h"
#include "cancel.h"
#include "clock.h"
#include "collective.h"
#include "fence.h"
#include "flow.h"
#include "matches_before.h"
#include "operation.h"
#include "partition.h"
#include "race.h"
#include "ready.h"
#include "ready_send.h"
#include "record.h"
#include "shown.h"
#include "startall.h"

/* ---- finding ---- */

void poe_match_claim(struct poe *poe, struct poe_op *send, struct poe_op *receive)
{
    struct poe_comm *comm = poe_comm_find(poe, receive->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, receive->t.rank);
    poe_channel_remove(poe_inbox_channel(poe, inbox, send->t.rank), send);
    poe_inbox_remove(poe, inbox, receive);
    poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_PAIR, .a = send, .b = receive});
    if (receive->admitted)
        poe_admission_taken(poe, receive, send);
    poe_startall_found(poe, send, receive);
    poe_race_unshield(poe, comm, inbox, receive);
}

/* The next probe, in the order in which they were called, that a thread of the rank waits in. */
static struct poe_op *next_probe(const struct poe_rank *r, int comm, const struct poe_op *before)
{
    struct poe_op *next = NULL;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        struct poe_op *fence = r->threads[i].fence;
        if (!fence || fence->t.call.op != ISP_OP_PROBE || fence->t.call.comm != comm || fence->awaits)
            continue;
        bool after = !before || fence->entered_at > before->entered_at;
        if (after && (!next || fence->entered_at < next->entered_at))
            next = fence;
    }
    return next;
}

static void match_probes(struct poe *poe, const struct poe_comm *comm, int rank)
{
    const struct poe_rank *r = &poe->ranks[rank];
    for (struct poe_op *probe = next_probe(r, comm->number, NULL); probe;
         probe = next_probe(r, comm->number, probe))
        poe_match_probe(poe, probe);
}

void poe_match_rescan(struct poe *poe, struct poe_comm *comm, struct poe_inbox *inbox)
{
    for (struct poe_op *r = inbox->first, *next; r; r = next) {
        next = r->next;
        struct poe_op *send = r->open ? NULL : mb_enabled(inbox, r, r->t.call.peer);
        if (send)
            poe_match_claim(poe, send, r);
    }
    match_probes(poe, comm, comm->members[inbox - comm->inboxes]);
}

void poe_match_send(struct poe *poe, struct poe_op *send)
{
    struct poe_comm *comm = poe_comm_find(poe, send->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, send->t.call.peer);
    struct poe_op *r = inbox->first;
    while (r && !mb_accepts(r, send))
        r = r->next;
    /* the only receive that may take it; an open one is a choice, another one may still wait for an older
     * message */
    if (r) {
        if (!r->open && mb_enabled(inbox, r, send->t.rank) == send)
            poe_match_claim(poe, send, r);
        return;
    }
    poe_startall_left(poe, send);
    match_probes(poe, comm, send->t.call.peer);
}

/* The receive may take what probes have found: they may not find it again. */
static void forget_seen(struct poe_inbox *inbox, const struct poe_op *receive)
{
    inbox->probed = false;
    for (uint32_t i = 0; i < inbox->n_channels; i++)
        for (struct poe_op *send = inbox->channels[i].first; send; send = send->next) {
            send->seen = mb_accepts(receive, send) ? 0 : send->seen;
            inbox->probed = inbox->probed || send->seen;
        }
}

void poe_match_receive(struct poe *poe, struct poe_op *receive)
{
    struct poe_comm *comm = poe_comm_find(poe, receive->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, receive->t.rank);
    if (inbox->probed)
        forget_seen(inbox, receive);
    if (receive->open)
        return;
    struct poe_op *send = mb_enabled(inbox, receive, receive->t.call.peer);
    if (send)
        poe_match_claim(poe, send, receive);
}

void poe_match_probe(struct poe *poe, struct poe_op *probe)
{
    if (probe->ready || poe_op_is_wildcard(probe) || !poe_fence_waits(probe))
        return;
    struct poe_comm *comm = poe_comm_find(poe, probe->t.call.comm);
    struct poe_op *send = mb_enabled(poe_comm_inbox(comm, probe->t.rank), probe, probe->t.call.peer);
    if (!send)
        return;
    poe_match_claim_probe(poe, send, probe);
}

void poe_match_claim_probe(struct poe *poe, struct poe_op *send, struct poe_op *probe)
{
    if (probe->t.call.flags & ISP_F_MATCHED) {
        struct poe_comm *comm = poe_comm_find(poe, probe->t.call.comm);
        poe_channel_remove(poe_inbox_channel(poe, poe_comm_inbox(comm, probe->t.rank), send->t.rank), send);
        if (probe->admitted)
            poe_admission_taken(poe, probe, send);
    }
    poe_startall_found(poe, send, probe);
    probe->ready = true;
    poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_PROBE, .a = send, .b = probe});
}

/* ---- firing ---- */

static void issue(struct poe *poe, const struct poe_op *op, int peer, int32_t tag)
{
    poe_fired_effect(poe, op->t.rank)->action =
        (struct isp_action){.kind = ISP_ACTION_ISSUE, .handle = op->t.call.handle, .peer = peer, .tag = tag};
}

/* MPI_Buffer_detach will know it. */
static void deliver(struct poe *poe, struct poe_rank *r, struct poe_clock *clock)
{
    struct poe_clock *delivered = poe_clock_join(poe->arena, r->delivered, clock);
    poe_clock_drop(poe->arena, r->delivered);
    r->delivered = delivered;
}

/* What is known where the two complete: the receive knows what its sender knew, and the
 * decision that joined them; so does a send that completes with its receive. */
static void join_clocks(struct poe *poe, struct poe_op *send, struct poe_op *receive)
{
    struct poe_clock *both = poe_clock_join(poe->arena, send->posted, receive->posted);
    if (receive->number)
        both = poe_clock_know(poe->arena, both, poe_thread_of(poe, receive)->receives_component,
                              receive->number);
    if (receive->decision) {
        uint32_t before = receive->decision - 1, component = poe_thread_of(poe, receive)->component;
        bool zero = poe_clock_at(both, POE_CLOCK_ZERO, component) == before;
        bool infinite = poe_clock_at(both, POE_CLOCK_INFINITE, component) == before;
        both = poe_clock_set(poe->arena, both, component, receive->decision, zero, infinite, false);
    }
    both = poe_attached_received(poe, send, both);
    receive->done = poe_clock_keep(both);
    bool synchronous = send->t.call.mode == ISP_SEND_SYNC;
    bool buffered = poe_op_is_buffered(poe, send);
    send->done = buffered      ? poe_clock_keep(send->posted)
                 : synchronous ? poe_clock_keep(both)
                               : poe_clock_mix(poe->arena, both, send->posted);
    if (send->t.call.mode == ISP_SEND_BUFFERED && !poe->config.buffered)
        deliver(poe, &poe->ranks[send->t.rank], both);
    poe_clock_drop(poe->arena, both);
}

static void fire_pair(struct poe *poe, struct poe_op *send, struct poe_op *receive)
{
    poe_fired_member(poe, send);
    poe_fired_member(poe, receive);
    send->t.matched = receive->t.matched = true;
    receive->t.source = send->t.rank;
    receive->t.source_index = send->t.index;
    receive->t.tag = send->t.call.tag;
    send->t.unready = poe_ready_send_may_miss(poe, send, receive);
    if (send->t.call.mode == ISP_SEND_READY)
        poe_barrier_see_ready(poe, send, poe_thread_of(poe, receive), receive->number);
    join_clocks(poe, send, receive);
    poe_record_pair(poe, send, receive);
    poe_shown_pair(poe, send, receive);
    issue(poe, send, receive->t.rank, send->t.call.tag);
    issue(poe, receive, send->t.rank, send->t.call.tag);
    poe_fence_complete(poe, send);
    poe_fence_complete(poe, receive);
    if (send->t.call.mode == ISP_SEND_BUFFERED)
        poe_fence_delivered(poe, send->t.rank);
    if (send->t.call.flags & ISP_F_PARTITIONED && !isp_call_is_unit(&send->t.call))
        poe_partition_match(poe, send, receive);
    poe_op_bury_if_over(poe, send);
    poe_op_bury_if_over(poe, receive);
}

static void fire_probe(struct poe *poe, struct poe_op *send, struct poe_op *probe)
{
    poe_fired_member(poe, send);
    poe_fired_member(poe, probe);
    struct poe_comm *comm = poe_comm_find(poe, probe->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, probe->t.rank);
    probe->stale = send->seen & poe_thread_bit(probe);
    probe->t.matched = inbox->probed = true;
    send->seen |= poe_thread_bit(probe);
    probe->t.source = send->t.rank;
    probe->t.source_index = send->t.index;
    probe->t.tag = send->t.call.tag;
    if (probe->t.call.flags & ISP_F_MATCHED)
        probe->message = send;
    poe_record_found(poe, send, probe);
    probe->done = poe_clock_keep(send->posted);
    poe_admission_found(poe, probe);
    struct isp_result result = {.flag = probe->stale ? 2 : 1,
                                .new_comm = ISP_NO_COMM,
                                .source = send->t.rank,
                                .tag = send->t.call.tag,
                                .bytes = send->t.call.bytes};
    poe_fence_release(poe, probe, &result);
}

static void take_ready(struct poe *poe)
{
    poe->ready_first = (poe->ready_first + 1) % poe->ready_room;
    poe->n_ready--;
}

bool poe_match_clashes(struct poe *poe)
{
    struct poe_ready r = poe->ready[poe->ready_first];
    if (r.kind != POE_READY_COLLECTIVE || poe_instance_agrees(r.instance))
        return false;
    take_ready(poe);
    poe_collective_clashes(poe, r.instance);
    return true;
}

enum poe_state poe_match_fire(struct poe *poe)
{
    struct poe_ready r = poe->ready[poe->ready_first];
    take_ready(poe);
    bool vain = r.kind == POE_READY_FENCE && poe_thread_of(poe, r.a)->spins;
    poe->progress += !vain;
    poe_fired_clear(poe);
    poe->fired.vain = vain;
    switch (r.kind) {
    case POE_READY_PAIR: fire_pair(poe, r.a, r.b); break;
    case POE_READY_PROBE: fire_probe(poe, r.a, r.b); break;
    case POE_READY_FENCE: poe_fence_answer(poe, r.a); break;
    case POE_READY_COLLECTIVE: return poe_collective_fire(poe, r.instance);
    case POE_READY_FLOW: poe_flow_fire(poe, r.a); break;
    case POE_READY_ADMITTED: poe_admission_release(poe, r.rank, r.thread); break;
    case POE_READY_CANCELLED: poe_cancel_fire(poe, r.a); break;
    }
    return POE_FIRED;
}
