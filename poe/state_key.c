/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a run at a choice point, as far as poe knows it, in 128 bits (poe_state_key). What is in it,
 * and what is not, and why: STATES.md. Operations are named by their place among their rank's live ones;
 * counters of the past, clocks and decisions are left out, since what they tell about the future is told
 * otherwise (states.h).
 */
#include <string.h>

#include "ahead.h"
#include "clock.h"
#include "communicator.h"
#include "hash.h"
#include "instance.h"
#include "state.h"
#include "state_key.h"
#include "states.h"

static void add(struct poe_hash *h, uint64_t value) { poe_hash_add(h, value); }

static void add_bits(struct poe_hash *h, const uint64_t *bits, uint32_t n)
{
    add(h, bits != NULL);
    for (uint32_t i = 0; bits && i < (n + 63) / 64; i++)
        add(h, bits[i]);
}

/* Its place among the live operations of its rank, from 1; 0: there is none. */
static uint64_t place_of(const struct poe *poe, const struct poe_op *op)
{
    uint64_t place = 1;
    if (!op)
        return 0;
    const struct poe_op *at = poe->ranks[op->t.rank].live_first;
    for (; at && at != op; at = at->live_next)
        place++;
    return (uint64_t)op->t.rank << 32 | (at ? place : 0);
}

/* False: it has what states are not compared with. */
static bool add_op(struct poe_hash *h, const struct poe *poe, const struct poe_op *op)
{
    const bool flags[] = {op->t.matched, op->t.completed, op->t.cancelled, op->t.held,  op->t.consumed,
                          op->queued,    op->open,        op->marked,      op->local,   op->standard,
                          op->entered,   op->exhausted,   op->unkept,      op->moved,   op->cut,
                          op->stale,     op->told,        op->put_off,     op->slept_no};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        bits = bits << 1 | flags[i];
    poe_hash_call(h, &op->t.call, true);
    add(h, bits);
    add(h, (uint64_t)(uint32_t)op->t.source << 32 | (uint32_t)op->t.tag);
    add(h, place_of(poe, op->message));
    add(h, place_of(poe, op->join));
    add(h, (uint64_t)op->missing << 32 | (uint32_t)op->new_comm);
    add(h, op->seen);
    uint32_t slept = (uint32_t)poe->config.ranks > op->t.call.n ? (uint32_t)poe->config.ranks : op->t.call.n;
    add_bits(h, op->slept, slept);
    return !op->any_taker && !op->awaits && !op->space && !op->asleep && !op->elsewhere && !op->ready;
}

/* Counts of calls only matter by what came since. */
static void add_polls(struct poe_hash *h, const struct poe *poe, const struct poe_thread *t)
{
    add(h, t->n_polls);
    for (uint32_t i = 0; i < t->n_polls; i++) {
        add(h, (uint64_t)t->polls[i].site << 32 | t->polls[i].in_a_row);
        add(h, t->polls[i].calls == t->other_calls);
    }
    bool goes_on = poe->progress == poe->progress_seen;
    add(h, goes_on ? t->forced : 0);
    add(h, goes_on ? t->forced - t->moved : 0);
}

static bool add_rank(struct poe_hash *h, const struct poe *poe, const struct poe_rank *r)
{
    const struct poe_thread *t = &r->threads[0];
    add(h, place_of(poe, t->fence));
    if (!h->any_polls)
        add_polls(h, poe, t);
    bool known = r->n_threads == 1 && r->quiet && !r->stopped && !r->guessed && !t->held && !t->spins;
    for (const struct poe_op *op = r->live_first; op && known; op = op->live_next)
        known = add_op(h, poe, op);
    add(h, 0); /* its end */
    return known;
}

static void add_instance(struct poe_hash *h, const struct poe *poe, const struct poe_instance *i,
                         uint64_t base)
{
    add(h, i->number - base);
    add(h, (uint64_t)i->needed << 32 | (uint32_t)i->arrived);
    add(h, (uint64_t)i->flow << 32 | (uint32_t)i->entered);
    for (int place = 0; place < i->comm->n; place++)
        add(h, place_of(poe, i->ops[place]));
}

static bool add_comm(struct poe_hash *h, const struct poe *poe, const struct poe_comm *comm)
{
    uint64_t base = UINT64_MAX;
    add(h, comm->key);
    add(h, (uint64_t)comm->n << 32 | (uint32_t)comm->n_first);
    for (int i = 0; i < comm->n; i++)
        base = comm->calls[i] < base ? comm->calls[i] : base;
    for (int i = 0; i < comm->n; i++) {
        add(h, (uint64_t)comm->members[i]);
        add(h, comm->calls[i] - base);
        add(h, (uint64_t)comm->inboxes[i].probed << 1 | comm->inboxes[i].any_tag);
    }
    bool known = true;
    for (const struct poe_instance *i = comm->first; i && known; i = i->next) {
        known = !i->subset && !i->other;
        add_instance(h, poe, i, base);
    }
    add(h, 1);
    return known;
}

static uint64_t few(uint32_t n) { return n <= POE_POLLS_AFTER ? n : POE_POLLS_AFTER + 1; }

static uint64_t patience(const struct poe *poe)
{
    uint64_t h = few(poe->turned_off);
    for (int i = 0; i < poe->config.ranks; i++)
        h = poe_mix(h, few(poe->turned_off - poe->ranks[i].threads[0].turned_off));
    return h;
}

/* Of the rank's pending receives, how many are among its first so many. */
static uint64_t pending_among(const struct poe_rank *r, uint32_t first)
{
    uint64_t n = 0;
    for (const struct poe_op *op = r->live_first; op; op = op->live_next)
        n += op->t.call.op == ISP_OP_RECV && !op->t.matched && op->number <= first;
    return n;
}

/* Who has this clock knows of these receives, beside those of its own rank. */
static uint64_t known_receives(const struct poe *poe, int own, const struct poe_clock *clock)
{
    uint64_t h = 0;
    for (int i = 0; i < poe->config.ranks; i++) {
        const struct poe_rank *r = &poe->ranks[i];
        uint32_t component = r->threads[0].receives_component;
        if (i != own && component != POE_NO_COMPONENT)
            h = poe_mix(h, pending_among(r, poe_clock_at(clock, POE_CLOCK_INFINITE, component)));
    }
    return h;
}

static uint64_t readiness(const struct poe *poe)
{
    uint64_t h = 0;
    for (int i = 0; i < poe->config.ranks; i++) {
        h = poe_mix(h, known_receives(poe, i, poe->ranks[i].threads[0].now));
        for (const struct poe_op *op = poe->ranks[i].live_first; op; op = op->live_next) {
            h = poe_mix(h, known_receives(poe, i, op->posted));
            h = poe_mix(h, known_receives(poe, i, op->done));
        }
    }
    return h;
}

uint64_t poe_state_answer(const struct poe *poe, enum poe_question question)
{
    return question == POE_PATIENCE ? patience(poe) : readiness(poe);
}

bool poe_states_are_left(const struct poe *poe) { return poe->odd; }

static bool find_key(const struct poe *poe, bool any_polls, struct poe_key *key)
{
    struct poe_hash h = {0x243f6a8885a308d3u, 0x13198a2e03707344u, any_polls};
    bool known = poe->config.merge && !poe->odd && !poe->running && !poe->n_ready && !poe->halves &&
                 !poe->n_locks && !poe->n_clashes && !poe->withdrawn && !poe->admissions;
    add(&h, (uint64_t)poe->config.buffered << 1 | poe->standard_sends);
    add(&h, (uint64_t)poe->livelock_told << 1 | (poe->progress == poe->progress_seen));
    for (int i = 0; i < poe->config.ranks && known; i++)
        known = add_rank(&h, poe, &poe->ranks[i]);
    add(&h, (uint64_t)poe->n_comms);
    for (int i = 0; i < poe->n_comms && known; i++)
        known = add_comm(&h, poe, poe->comms[i]);
    known = known && poe_ahead_add(poe, &h);
    *key = (struct poe_key){h.low, h.high};
    return known;
}

bool poe_state_key(const struct poe *poe, struct poe_key *key) { return find_key(poe, false, key); }

bool poe_situation_key(const struct poe *poe, struct poe_key *key) { return find_key(poe, true, key); }
