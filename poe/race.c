/* SPDX-License-Identifier: BSD-3-Clause */
/* Races: see race.h. */
#include "race.h"

#include <string.h>

#include "barrier.h"
#include "clock.h"
#include "matches_before.h"
#include "operation.h"
#include "shown.h"

static void tell(struct poe *poe, struct poe_race race)
{
    poe->races =
        poe_arena_grow(poe->arena, poe->races, &poe->races_room, poe->n_races + 1, sizeof *poe->races);
    poe->races[poe->n_races++] = race;
}

void poe_race_tell(struct poe *poe, unsigned number) { tell(poe, (struct poe_race){number, ISP_NO_RANK, 0}); }

/* send: the message that shows it, or NULL. */
static void report(struct poe *poe, struct poe_decided *d, const struct poe_op *send)
{
    if (d->raced)
        return;
    d->raced = true;
    tell(poe, (struct poe_race){d->number, send ? send->t.rank : ISP_NO_RANK, send ? send->t.call.tag : 0});
}

enum order { AFTER, AFTER_IF_UNBUFFERED, CONCURRENT };

/* How what `clock` knows stands to the thread's decision. */
static enum order order_of(const struct poe *poe, const struct poe_clock *clock,
                           const struct poe_thread *thread, uint32_t decision)
{
    bool infinite = decision > poe_clock_at(clock, POE_CLOCK_INFINITE, thread->component);
    bool zero = decision > poe_clock_at(clock, POE_CLOCK_ZERO, thread->component);
    if (!infinite)
        return AFTER;
    return zero || poe->config.buffered ? CONCURRENT : AFTER_IF_UNBUFFERED;
}

static void judge(struct poe *poe, struct poe_decided *d, enum order order, const struct poe_op *send)
{
    if (order == CONCURRENT)
        report(poe, d, send);
    else if (order == AFTER_IF_UNBUFFERED)
        poe->buffering_matters = true;
}

/* ---- recording a decision ---- */

static void note_uncovered(struct poe *poe, struct poe_thread *t, const uint64_t *covered)
{
    if (!t->uncovered)
        t->uncovered = poe_arena_new(poe->arena, (size_t)poe->config.ranks * sizeof *t->uncovered);
    for (int source = 0; source < poe->config.ranks; source++)
        if (!poe_bit(covered, (uint32_t)source))
            t->uncovered[source] = t->decisions;
}

static void record_messages(struct poe *poe, struct poe_decided *d, const struct poe_op *receive)
{
    const struct isp_call *c = &receive->t.call;
    const struct poe_inbox *inbox = poe_comm_inbox(poe_comm_find(poe, c->comm), receive->t.rank);
    d->messages = true;
    d->comm = c->comm, d->peer = c->peer, d->tag = c->tag;
    d->shielded = inbox->first && inbox->first != receive;
    struct poe_thread *t = poe_thread_of(poe, receive);
    t->shielded |= d->shielded;
    size_t words = ((size_t)poe->config.ranks + 63) / 64;
    d->covered = poe_arena_new(poe->arena, words * sizeof *d->covered);
    if (receive->slept)
        memcpy(d->covered, receive->slept, words * sizeof *d->covered);
    for (unsigned i = 0; i < poe->choice.n; i++)
        if (poe->choice.alternatives[i].kind == POE_TAKE_MESSAGE) {
            int source = poe->choice.alternatives[i].source;
            d->covered[source / 64] |= (uint64_t)1 << (source % 64);
        }
    note_uncovered(poe, t, d->covered);
}

static void record_completions(struct poe *poe, struct poe_decided *d, struct poe_op *fence,
                               uint32_t decision)
{
    d->all = fence->t.call.mode == ISP_COMPLETE_ALL;
    for (uint32_t i = 0; i < fence->t.call.n; i++) {
        struct poe_op *x = fence->waits[i];
        if (x->t.completed)
            continue;
        struct poe_watch *w = poe_arena_new(poe->arena, sizeof *w);
        *w = (struct poe_watch){.next = x->watches, .decision = decision, .thread = fence->t.call.thread};
        x->watches = w;
        d->missing++;
    }
}

void poe_race_decided(struct poe *poe, struct poe_op *op)
{
    struct poe_thread *r = poe_thread_of(poe, op);
    uint32_t decision = ++r->decisions;
    if (r->component == POE_NO_COMPONENT)
        r->component = poe->components++;
    r->decided = poe_arena_grow(poe->arena, r->decided, &r->decided_room, decision, sizeof *r->decided);
    r->is_known = poe_arena_grow(poe->arena, r->is_known, &r->known_room, decision + 1, sizeof *r->is_known);
    r->is_known[decision] = 0;
    op->decision = decision;
    struct poe_decided *d = &r->decided[decision - 1];
    *d = (struct poe_decided){.number = poe->n_decisions, .index = op->t.index};
    if (op->t.call.op == ISP_OP_LOCK || op->t.call.op == ISP_OP_CANCEL)
        return; /* visit.h; cancel.h */
    if (op->t.call.op == ISP_OP_COMPLETE)
        record_completions(poe, d, op, decision);
    else
        record_messages(poe, d, op);
}

/* ---- what shows up later ---- */

void poe_race_visit(struct poe *poe, const struct poe_thread *thread, uint32_t decision,
                    const struct poe_clock *posted, const struct poe_clock *between)
{
    if (!decision || thread->decided[decision - 1].raced)
        return;
    enum order its = order_of(poe, posted, thread, decision), that = order_of(poe, between, thread, decision);
    judge(poe, &thread->decided[decision - 1], its < that ? its : that, NULL);
}

static bool could_take(const struct poe_decided *d, const struct poe_op *send)
{
    return d->messages && !(send->t.call.flags & (ISP_F_PARTITIONED | ISP_F_SIGNAL)) &&
           d->comm == send->t.call.comm && (d->peer == ISP_ANY_SOURCE || d->peer == send->t.rank) &&
           (d->tag == ISP_ANY_TAG || d->tag == send->t.call.tag) &&
           !poe_bit(d->covered, (uint32_t)send->t.rank);
}

static bool is_alternative(const struct poe_decided *d, const struct poe_op *send)
{
    return !d->raced && could_take(d, send);
}

static void race_of_thread(struct poe *poe, const struct poe_op *send, const struct poe_thread *t)
{
    /* all decisions before one that happens before the send happen before it too */
    for (uint32_t decision = t->uncovered ? t->uncovered[send->t.rank] : 0; decision > 0; decision--) {
        enum order order = order_of(poe, send->posted, t, decision);
        /* nothing to be found any more */
        if (order == AFTER || (order == AFTER_IF_UNBUFFERED && poe->buffering_matters))
            break;
        if (is_alternative(&t->decided[decision - 1], send))
            judge(poe, &t->decided[decision - 1], order, send);
    }
    poe_barrier_see_all(poe, send, t, could_take);
}

void poe_race_message(struct poe *poe, const struct poe_op *send)
{
    const struct poe_rank *r = &poe->ranks[send->t.call.peer];
    for (uint32_t i = 0; i < r->n_threads; i++)
        race_of_thread(poe, send, &r->threads[i]);
}

static void unshield_one(struct poe *poe, const struct poe_inbox *inbox, const struct poe_thread *t,
                         uint32_t decision)
{
    struct poe_decided *d = &t->decided[decision - 1];
    for (uint32_t i = 0; i < inbox->n_channels; i++)
        for (const struct poe_op *send = inbox->channels[i].first; send; send = send->next)
            if (could_take(d, send)) {
                if (!d->raced)
                    judge(poe, d, order_of(poe, send->posted, t, decision), send);
                poe_barrier_see(poe, send->posted, t, decision);
                break;
            }
}

void poe_race_unshield(struct poe *poe, struct poe_comm *comm, struct poe_inbox *inbox,
                       const struct poe_op *receive)
{
    const struct poe_rank *r = &poe->ranks[receive->t.rank];
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        bool own = i == receive->t.call.thread;
        for (uint32_t decision = t->shielded ? t->decisions : 0; decision > 0; decision--) {
            const struct poe_decided *d = &t->decided[decision - 1];
            /* decided transitions of before were not shielded by it */
            if (own && d->index < receive->t.index)
                continue;
            if (d->shielded && d->comm == comm->number)
                unshield_one(poe, inbox, t, decision);
        }
    }
}

void poe_race_completed(struct poe *poe, struct poe_op *op)
{
    poe_shown_completion(poe, op);
    for (const struct poe_watch *w = op->watches; w; w = w->next) {
        const struct poe_thread *t = &poe->ranks[op->t.rank].threads[w->thread];
        struct poe_decided *d = &t->decided[w->decision - 1];
        enum order order = order_of(poe, op->done, t, w->decision);
        poe_barrier_see(poe, op->done, t, w->decision);
        if (order != CONCURRENT || !d->all || --d->missing == 0)
            judge(poe, d, order, NULL);
    }
    poe_race_unwatch(poe, op);
}

void poe_race_cancel(struct poe *poe, const struct poe_op *fence, const struct poe_op *receive)
{
    const struct poe_thread *t = poe_thread_of(poe, receive);
    judge(poe, &t->decided[receive->decision - 1], order_of(poe, fence->posted, t, receive->decision), NULL);
}

/* Buffered, it would (or might) be complete by now. */
static bool is_unbuffered(const struct poe *poe, const struct poe_op *op)
{
    bool send = op->t.call.op == ISP_OP_SEND && op->t.call.mode != ISP_SEND_SYNC;
    bool flows = op->t.call.op == ISP_OP_COLLECTIVE && op->t.call.flow != ISP_FLOW_ALL;
    return (send || flows || op->standard) && !op->t.completed && !poe->config.buffered;
}

void poe_race_denied(struct poe *poe, const struct poe_op *poll)
{
    for (uint32_t i = 0; poll->t.call.op == ISP_OP_COMPLETE && i < poll->t.call.n; i++)
        poe->buffering_matters |= is_unbuffered(poe, poll->waits[i]);
}

bool poe_race_is_open(const struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (const struct poe_op *op = poe->ranks[i].live_first; op; op = op->live_next)
            if (op->watches && is_unbuffered(poe, op))
                return true;
    return false;
}

void poe_race_unwatch(struct poe *poe, struct poe_op *op)
{
    poe->buffering_matters |= op->watches && is_unbuffered(poe, op);
    struct poe_watch *w;
    while ((w = op->watches)) {
        op->watches = w->next;
        poe_arena_free(poe->arena, w);
    }
}

/* ---- what is known to show up below ---- */

/* Where buffering alone might make the difference, it matters. */
static void foresee(struct poe *poe, struct poe_decided *d, enum order least, enum order most)
{
    if (least != CONCURRENT) {
        judge(poe, d, least, NULL);
        return;
    }
    report(poe, d, NULL);
    if (most != CONCURRENT && !poe->config.buffered)
        poe->buffering_matters = true;
}

static void foresee_message(struct poe *poe, const struct poe_shown *shown, const struct poe_clock *most)
{
    struct poe_op send = {
        .t = {.rank = shown->rank, .call = {.op = ISP_OP_SEND, .comm = shown->comm, .tag = shown->tag}}};
    const struct poe_thread *t = &poe->ranks[shown->peer].threads[0];
    for (uint32_t decision = t->uncovered ? t->uncovered[shown->rank] : 0; decision > 0; decision--) {
        struct poe_decided *d = &t->decided[decision - 1];
        if (!could_take(d, &send))
            continue;
        poe->barriers_unclear = true; /* how they order it is not in the clocks */
        enum order least = order_of(poe, shown->clock, t, decision);
        if (least == AFTER)
            continue;
        foresee(poe, d, least, order_of(poe, most, t, decision));
    }
}

static void foresee_completion(struct poe *poe, const struct poe_shown *shown, const struct poe_clock *most)
{
    const struct poe_rank *r = &poe->ranks[shown->rank];
    const struct poe_op *op = shown->handle < r->n_slots ? r->slots[shown->handle] : NULL;
    for (const struct poe_watch *w = op ? op->watches : NULL; w; w = w->next) {
        const struct poe_thread *t = &r->threads[w->thread];
        enum order least = order_of(poe, shown->clock, t, w->decision);
        poe->barriers_unclear = true;
        if (least != AFTER)
            foresee(poe, &t->decided[w->decision - 1], least, order_of(poe, most, t, w->decision));
    }
}

void poe_race_foreseen(struct poe *poe, const struct poe_shown *shown, const struct poe_clock *most)
{
    if (shown->kind == POE_SHOWN_MESSAGE)
        foresee_message(poe, shown, most);
    else
        foresee_completion(poe, shown, most);
}

/* Earlier receives of the decision's inbox are still pending, and shield messages from it. */
static void foresee_inbox(struct poe *poe, const struct poe_comm *comm, const struct poe_inbox *inbox,
                          const struct poe_thread *t)
{
    for (uint32_t decision = t->decisions; decision > 0; decision--) {
        struct poe_decided *d = &t->decided[decision - 1];
        if (!d->shielded || d->comm != comm->number || inbox->first->t.index >= d->index)
            continue;
        for (uint32_t i = 0; i < inbox->n_channels; i++)
            for (const struct poe_op *send = inbox->channels[i].first; send; send = send->next)
                if (could_take(d, send)) {
                    poe->barriers_unclear = true;
                    judge(poe, d, order_of(poe, send->posted, t, decision), send);
                }
    }
}

void poe_race_foreseen_behind(struct poe *poe)
{
    for (int c = 0; c < poe->n_comms; c++)
        for (int place = 0; place < poe->comms[c]->n; place++) {
            const struct poe_inbox *inbox = &poe->comms[c]->inboxes[place];
            const struct poe_thread *t = &poe->ranks[poe->comms[c]->members[place]].threads[0];
            if (inbox->first && t->shielded)
                foresee_inbox(poe, poe->comms[c], inbox, t);
        }
}
