/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorded run, played again: see mixed_play.h. */
#include "mixed_play.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "communicator.h"
#include "fence.h"
#include "kept.h"

/* ---- calls ---- */

/* Numbers of communicators depend on the order in which they were made; keys do not. */
static int comm_of(struct poe_mixed_play *p, int32_t number)
{
    if (number < 0 || number >= p->run->n_comms)
        return number;
    if (p->comms[number] != ISP_NO_COMM)
        return p->comms[number];
    uint64_t key = poe_comm_key(p->run, number);
    for (int i = 0; i < p->poe->n_comms; i++)
        if (p->poe->comms[i] && p->poe->comms[i]->key == key)
            return p->comms[number] = i;
    return ISP_NO_COMM;
}

static uint32_t *place_of(struct poe_mixed_play *p, int rank, uint32_t handle)
{
    struct poe_mixed_slots *s = &p->slots[rank];
    s->places = poe_grow(s->places, &s->room, handle + 1, sizeof *s->places);
    return &s->places[handle];
}

static void rename_handles(struct poe_mixed_play *p, int rank, struct isp_call *c)
{
    if (isp_call_names(c)) {
        p->list = poe_grow(p->list, &p->list_room, c->n, sizeof *p->list);
        for (uint32_t i = 0; i < c->n; i++)
            p->list[i] = *place_of(p, rank, c->list[i]);
        c->list = p->list;
    }
    if (isp_call_has_slot(c))
        *place_of(p, rank, c->handle) = p->at[rank];
    if (isp_call_has_slot(c) || c->op == ISP_OP_CANCEL || c->op == ISP_OP_FREE || c->op == ISP_OP_READY)
        c->handle = *place_of(p, rank, c->handle);
}

/* A send that may have to wait does so in the call; with infinite buffering none does. */
static void adapt(struct poe_mixed_play *p, int rank, struct isp_call *c)
{
    if ((c->flags & ISP_F_DETACHED) && poe_kept_may_be(c)) {
        c->flags &= (uint32_t)~ISP_F_DETACHED;
        c->flags |= ISP_F_FENCE;
    }
    rename_handles(p, rank, c);
    c->comm = comm_of(p, c->comm);
    if (c->op == ISP_OP_COLLECTIVE && c->mode == ISP_MAKE_INTER && c->root == rank)
        c->color = comm_of(p, c->color);
}

/* The rank goes on to its next fence. False: it cannot. */
static bool feed(struct poe_mixed_play *p, int rank)
{
    const struct poe_recorded_rank *r = &p->record->ranks[rank];
    const struct poe_rank *here = &p->poe->ranks[rank];
    bool any = false;
    while (p->at[rank] < r->n && !here->threads[0].fence && !here->stopped) {
        struct isp_call c = r->calls[p->at[rank]].call;
        adapt(p, rank, &c);
        if (poe_add(p->poe, rank, &c) < 0)
            return false;
        p->at[rank]++;
        any = true;
    }
    return any;
}

static bool feed_all(struct poe_mixed_play *p)
{
    bool any = false;
    for (int rank = 0; rank < p->run->config.ranks; rank++)
        any |= feed(p, rank);
    return any;
}

/* ---- decisions ---- */

static bool is_same(const struct poe_alternative *a, const struct poe_alternative *b)
{
    return a->kind == b->kind && a->source == b->source && a->source_index == b->source_index &&
           a->n == b->n && (!a->n || memcmp(a->positions, b->positions, a->n * sizeof *a->positions) == 0);
}

static void decide(struct poe_mixed_play *p)
{
    const struct poe_choice *c = poe_choice(p->poe);
    int rank = c->transition->rank;
    uint32_t at = poe_record_place(p->record, rank, c->transition->index);
    uint32_t decision = at < p->record->ranks[rank].n ? p->record->ranks[rank].calls[at].decision : 0;
    bool lock = c->alternatives[0].kind == POE_GRANT;
    unsigned k = decision || (lock && poe_mixed_visits_grant(&p->visits, rank, at)) ? 0 : c->n;
    while (k < c->n && !lock && !is_same(&c->alternatives[k], &p->record->decisions[decision - 1].taken))
        k++;
    if (k < c->n && !lock) {
        p->taken[decision - 1] = true;
        if (p->decides)
            p->decides(p->context, decision - 1, c, k);
    }
    p->choices = poe_grow(p->choices, &p->choices_room, p->n_choices + 1, sizeof *p->choices);
    p->choices[p->n_choices++] = k;
    poe_decide(p->poe, k);
}

/* Nothing can move: a poll that was told `not yet` then is told so again; else the play is over. */
static enum poe_state force(struct poe *poe)
{
    const struct poe_mixed_play *p = poe->follows;
    bool polls = false;
    for (int rank = 0; rank < poe->config.ranks; rank++) {
        struct poe_op *fence = poe->ranks[rank].threads[0].fence;
        if (!fence || poe->ranks[rank].stopped || !(fence->t.call.flags & ISP_F_POLL) || fence->put_off)
            continue;
        polls = true;
        const struct poe_recorded *call = &p->record->ranks[rank].calls[p->at[rank] - 1];
        if (!call->said_no || call->decision)
            continue;
        poe->fired = (struct poe_fired){0};
        fence->answer = POE_ANSWER_NOT_YET;
        poe_fence_answer(poe, fence);
        return POE_FIRED;
    }
    return polls ? POE_LIVELOCK : POE_DEADLOCK;
}

/* ---- the play ---- */

static void start(struct poe_mixed_play *p, const struct poe_name *kept, size_t n_kept)
{
    struct poe_config config = p->run->config;
    config.mixed = true;
    config.kept = kept;
    config.n_kept = n_kept;
    config.record = false;
    config.exact = p->decides;
    poe_destroy(p->poe);
    p->poe = poe_create(&config);
    p->poe->follows = p;
    p->poe->force = force;
    size_t ranks = (size_t)config.ranks, comms = (size_t)p->run->n_comms, decisions = p->record->n_decisions;
    p->at = poe_alloc(p->at, ranks * sizeof *p->at);
    memset(p->at, 0, ranks * sizeof *p->at);
    if (!p->slots)
        p->slots = memset(poe_alloc(NULL, ranks * sizeof *p->slots), 0, ranks * sizeof *p->slots);
    p->comms = poe_alloc(p->comms, comms * sizeof *p->comms);
    for (size_t i = 0; i < comms; i++)
        p->comms[i] = ISP_NO_COMM;
    p->taken = poe_alloc(p->taken, decisions + 1);
    memset(p->taken, 0, decisions + 1);
    p->n_choices = 0;
    poe_mixed_visits_start(&p->visits);
}

void poe_mixed_play(struct poe_mixed_play *p, const struct poe_name *kept, size_t n_kept)
{
    start(p, kept, n_kept);
    for (;;) {
        switch (poe_step(p->poe)) {
        case POE_FIRED: break;
        case POE_CHOICE: decide(p); break;
        case POE_RUNNING:
            if (feed_all(p))
                break;
            p->end = POE_MIXED_NOT_STUCK; /* somebody is where the run ended */
            return;
        case POE_DEADLOCK: p->end = POE_MIXED_STUCK; return;
        case POE_LIVELOCK: p->end = POE_MIXED_LIVELOCK; return;
        default: p->end = POE_MIXED_NOT_STUCK; return;
        }
    }
}

void poe_mixed_play_finish(struct poe_mixed_play *p)
{
    poe_destroy(p->poe);
    for (int rank = 0; p->slots && rank < p->run->config.ranks; rank++)
        free(p->slots[rank].places);
    free(p->slots);
    free(p->list);
    free(p->at);
    free(p->comms);
    free(p->taken);
    free(p->choices);
    poe_mixed_visits_finish(&p->visits);
}
