/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a run at a choice point, as far as poe knows it, in 128 bits (poe_state_key). What is in it,
 * and what is not, and why: STATES.md. Operations are named by their place among their rank's live ones;
 * counters of the past, clocks and decisions are left out, since what they tell about the future is told
 * otherwise (states.h).
 */
#include <string.h>

#include "communicator.h"
#include "instance.h"
#include "state.h"
#include "state_key.h"
#include "states.h"

/* Two hashes of one sequence of numbers. */
struct hash {
    uint64_t low, high;
};

static void add(struct hash *h, uint64_t value)
{
    h->low = poe_mix(h->low, value);
    h->high = poe_mix(value ^ 0x9ddfea08eb382d69u, h->high);
}

static void add_bits(struct hash *h, const uint64_t *bits, uint32_t n)
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

static void add_call(struct hash *h, const struct isp_call *c)
{
    add(h, (uint64_t)c->op << 56 | (uint64_t)c->mode << 48 | (uint64_t)c->flow << 40 | c->fn);
    add(h, (uint64_t)c->flags << 32 | c->site);
    add(h, (uint64_t)c->place << 32 | c->handle);
    add(h, (uint64_t)(uint32_t)c->comm << 32 | (uint32_t)c->peer);
    add(h, (uint64_t)(uint32_t)c->tag << 32 | (uint32_t)c->root);
    add(h, (uint64_t)(uint32_t)c->color << 32 | (uint32_t)c->key);
    add(h, (uint64_t)c->type << 32 | c->taken_type);
    add(h, c->redop);
    add(h, c->count);
    add(h, c->taken_count);
    add(h, c->bytes);
    add(h, (uint64_t)c->n_given << 32 | c->n_taken);
    add(h, c->n);
    for (uint64_t i = 0; i < isp_call_words(c); i++)
        add(h, c->list[i]);
}

/* False: it has what states are not compared with. */
static bool add_op(struct hash *h, const struct poe *poe, const struct poe_op *op)
{
    const bool flags[] = {op->t.matched, op->t.completed, op->t.cancelled, op->t.held,  op->t.consumed,
                          op->queued,    op->open,        op->marked,      op->local,   op->standard,
                          op->entered,   op->exhausted,   op->unkept,      op->moved,   op->cut,
                          op->stale,     op->told,        op->put_off,     op->slept_no};
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        bits = bits << 1 | flags[i];
    add_call(h, &op->t.call);
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
static void add_polls(struct hash *h, const struct poe *poe, const struct poe_thread *t)
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

static bool add_rank(struct hash *h, const struct poe *poe, const struct poe_rank *r)
{
    const struct poe_thread *t = &r->threads[0];
    add(h, place_of(poe, t->fence));
    add_polls(h, poe, t);
    bool known = r->n_threads == 1 && r->quiet && !r->stopped && !r->guessed && !t->held && !t->spins;
    for (const struct poe_op *op = r->live_first; op && known; op = op->live_next)
        known = add_op(h, poe, op);
    add(h, 0); /* its end */
    return known;
}

static void add_instance(struct hash *h, const struct poe *poe, const struct poe_instance *i, uint64_t base)
{
    add(h, i->number - base);
    add(h, (uint64_t)i->needed << 32 | (uint32_t)i->arrived);
    add(h, (uint64_t)i->flow << 32 | (uint32_t)i->entered);
    for (int place = 0; place < i->comm->n; place++)
        add(h, place_of(poe, i->ops[place]));
}

static bool add_comm(struct hash *h, const struct poe *poe, const struct poe_comm *comm)
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

uint64_t poe_state_patience(const struct poe *poe)
{
    uint64_t h = few(poe->turned_off);
    for (int i = 0; i < poe->config.ranks; i++)
        h = poe_mix(h, few(poe->turned_off - poe->ranks[i].threads[0].turned_off));
    return h;
}

bool poe_state_key(const struct poe *poe, struct poe_key *key)
{
    struct hash h = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    bool known = poe->config.merge && !poe->odd && !poe->running && !poe->n_ready && !poe->halves &&
                 !poe->n_locks && !poe->n_clashes && !poe->withdrawn && !poe->admissions && !poe->record;
    add(&h, (uint64_t)poe->config.buffered << 1 | poe->standard_sends);
    add(&h, (uint64_t)poe->livelock_told << 1 | (poe->progress == poe->progress_seen));
    for (int i = 0; i < poe->config.ranks && known; i++)
        known = add_rank(&h, poe, &poe->ranks[i]);
    add(&h, (uint64_t)poe->n_comms);
    for (int i = 0; i < poe->n_comms && known; i++)
        known = add_comm(&h, poe, poe->comms[i]);
    *key = (struct poe_key){h.low, h.high};
    return known;
}
