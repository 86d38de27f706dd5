/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorded_calls.h. Handles are resolved in program order: each names what took its slot last. */
#include "recorded_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { NONE = -1 };

struct event {
    int rank;
    uint64_t index;
    struct isp_call call; /* its list is poe's, and gone */
    size_t first, n;      /* of a completion: the events that it names, in `named` */
};

struct of_rank {
    int32_t *event_of; /* by index: its event, or NONE: left out */
    size_t n;
    int32_t *slots; /* by handle */
    size_t n_slots;
};

struct sched_recorded_calls {
    int ranks;
    struct predict *predict;
    struct of_rank *of;
    struct event *events;
    size_t n;
    int32_t *named;
    size_t n_named;
    bool vary, patient, stuck;
};

/* ---- what calls name ---- */

static int32_t slot(const struct of_rank *of, uint32_t handle)
{
    return handle < of->n_slots ? of->slots[handle] : NONE;
}

static void take_slot(struct of_rank *of, uint32_t handle, int32_t event)
{
    if (handle >= of->n_slots) {
        size_t n = 2 * (size_t)handle + 64;
        of->slots = sched_grow(of->slots, n, sizeof *of->slots);
        for (size_t i = of->n_slots; i < n; i++)
            of->slots[i] = NONE;
        of->n_slots = n;
    }
    of->slots[handle] = event;
}

static void add_named(struct sched_recorded_calls *c, int32_t event)
{
    SCHED_GROW(c->named, c->n_named);
    c->named[c->n_named++] = event;
}

static void name_all(struct sched_recorded_calls *c, struct event *e)
{
    const struct of_rank *of = &c->of[e->rank];
    const struct isp_call *call = &e->call;
    bool lists = call->op == ISP_OP_COMPLETE || call->op == ISP_OP_JOIN ||
                 (call->op == ISP_OP_RECV && call->mode == ISP_RECV_MESSAGE);
    e->first = c->n_named;
    for (uint32_t i = 0; lists && i < call->n; i++)
        add_named(c, slot(of, call->list[i]));
    if (call->op == ISP_OP_FREE || call->op == ISP_OP_CANCEL)
        add_named(c, slot(of, call->handle));
    e->n = c->n_named - e->first;
}

/* ---- the events ---- */

static bool is_left_out(const struct poe *poe, struct poe_name name, const struct isp_call *call)
{
    return call->flags & ISP_F_POLL && poe_recorded_no(poe, name);
}

static void add_event(struct sched_recorded_calls *c, const struct isp_call *call, struct poe_name name)
{
    SCHED_GROW(c->events, c->n);
    struct event *e = &c->events[c->n];
    *e = (struct event){.rank = name.rank, .index = name.index, .call = *call};
    name_all(c, e);
    if (isp_call_has_slot(call))
        take_slot(&c->of[name.rank], call->handle, (int32_t)c->n);
    c->n++;
}

static void read_rank(struct sched_recorded_calls *c, const struct poe *poe, int rank)
{
    struct of_rank *of = &c->of[rank];
    const struct isp_call *call;
    for (struct poe_name name = {rank, 0}; (call = poe_recorded_call(poe, name)); name.index++) {
        bool out = is_left_out(poe, name, call);
        SCHED_GROW(of->event_of, of->n);
        of->event_of[of->n++] = out ? NONE : (int32_t)c->n;
        c->vary |= call->flags & ISP_F_POLL ||
                   (call->op == ISP_OP_COMPLETE && call->mode != ISP_COMPLETE_ALL && call->n > 1);
        if (!out)
            add_event(c, call, name);
    }
}

/* ---- lists as the program has them ----
 *
 * A Waitany in a loop is told without what earlier ones have completed. If others were completed there, the
 * program would list these again: so they are added, as far as nothing names them later. */

static bool is_in(const struct sched_recorded_calls *c, const struct event *e, int32_t operation)
{
    for (size_t i = 0; i < e->n; i++)
        if (c->named[e->first + i] == operation)
            return true;
    return false;
}

/* How many requests of e are in the list of the other one. */
static size_t common(const struct sched_recorded_calls *c, const struct event *e, const struct event *other)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++)
        n += is_in(c, other, c->named[e->first + i]);
    return n;
}

static void lengthen(struct sched_recorded_calls *c, struct event *e, const struct event *before,
                     const size_t *last_named)
{
    size_t first = c->n_named, number = (size_t)(e - c->events);
    for (size_t i = 0; i < e->n; i++)
        add_named(c, c->named[e->first + i]);
    for (size_t i = 0; i < before->n; i++) {
        int32_t operation = c->named[before->first + i];
        if (operation != NONE && last_named[operation] < number)
            add_named(c, operation);
    }
    e->first = first;
    e->n = c->n_named - first;
}

static void lengthen_lists(struct sched_recorded_calls *c)
{
    size_t *last_named = sched_alloc(c->n, sizeof *last_named);
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; c->events[k].call.op == ISP_OP_COMPLETE && i < c->events[k].n; i++)
            if (c->named[c->events[k].first + i] != NONE)
                last_named[c->named[c->events[k].first + i]] = k;
    const struct event *before = NULL;
    for (size_t k = 0; k < c->n; k++) { /* the events of a rank are in a row */
        struct event *e = &c->events[k];
        bool some = e->call.mode != ISP_COMPLETE_ALL;
        if (before && before->rank != e->rank)
            before = NULL;
        if (e->call.op != ISP_OP_COMPLETE)
            continue;
        if (before && (some ? e->call.site == before->call.site || common(c, e, before)
                            : e->n && common(c, e, before) == e->n))
            lengthen(c, e, before, last_named);
        before = some ? e : before;
    }
    free(last_named);
}

/* ---- told to predict/ ---- */

static void tell_comm(const struct sched_recorded_calls *c, const struct poe *poe, int comm)
{
    const int *members;
    unsigned n = poe_comm_members(poe, comm, &members);
    if (n)
        predict_comm(c->predict, comm, members, n);
}

/* Where sends are buffered, collectives synchronize as far as their data flows; what is recorded without
 * buffering does not have a slot for that. */
static uint32_t flags_of(const struct isp_call *call, bool buffered)
{
    uint32_t flags = call->op == ISP_OP_COLLECTIVE ? call->flags : call->flags & ~(uint32_t)ISP_F_POLL;
    bool early = call->op == ISP_OP_COLLECTIVE && call->flow != ISP_FLOW_ALL;
    return buffered && early ? flags | ISP_F_SLOT : flags;
}

static void tell_event(const struct sched_recorded_calls *c, const struct event *e, bool buffered)
{
    const struct isp_call *call = &e->call;
    bool lists =
        call->op == ISP_OP_COLLECTIVE &&
        (call->flow == ISP_FLOW_LIST || call->flow == ISP_FLOW_SOURCES || call->flags & ISP_F_SUBSET);
    bool persistent = call->op == ISP_OP_COLLECTIVE && call->mode == ISP_MAKE_NOTHING;
    predict_add(c->predict, &(struct predict_call){.op = call->op,
                                                   .mode = call->mode,
                                                   .flow = call->flow,
                                                   .flags = flags_of(call, buffered),
                                                   .rank = e->rank,
                                                   .comm = call->comm,
                                                   .peer = call->peer,
                                                   .tag = call->tag,
                                                   .root = call->root,
                                                   .key = persistent ? call->key : 0,
                                                   .named = c->named + e->first,
                                                   .n_named = (uint32_t)e->n,
                                                   .sources = lists ? call->list : NULL,
                                                   .n_sources = lists ? call->n : 0});
}

/* What was decided; of the ranks in turn, the first of each first. */
static void tell_taken(const struct sched_recorded_calls *c, const struct poe *poe)
{
    struct poe_name send;
    size_t at = 0;
    for (bool more = true; more; at++) {
        more = false;
        for (int rank = 0; rank < c->ranks; rank++) {
            struct poe_name name = {rank, at};
            more |= at < c->of[rank].n;
            if (at < c->of[rank].n && c->of[rank].event_of[at] != NONE &&
                poe_recorded_taken(poe, name, &send) && send.index < c->of[send.rank].n)
                predict_prefer(c->predict, c->of[rank].event_of[at], c->of[send.rank].event_of[send.index]);
        }
    }
}

struct sched_recorded_calls *sched_recorded_calls_create(struct poe *poe, int ranks, bool buffered,
                                                         bool stuck)
{
    struct sched_recorded_calls *c = sched_alloc(1, sizeof *c);
    c->ranks = ranks;
    c->stuck = stuck;
    c->predict = predict_create(ranks, buffered);
    c->of = sched_alloc((size_t)ranks, sizeof *c->of);
    for (int rank = 0; rank < ranks; rank++)
        read_rank(c, poe, rank);
    lengthen_lists(c);
    for (size_t i = 0; i < c->n; i++) {
        if (c->events[i].call.op == ISP_OP_COLLECTIVE)
            tell_comm(c, poe, c->events[i].call.comm);
        tell_event(c, &c->events[i], buffered);
        c->events[i].call.list = c->events[i].call.map = NULL;
    }
    tell_taken(c, poe);
    if (poe_has_threads(poe))
        predict_refuse(c->predict, "several threads of a rank call MPI");
    else if (!c->n)
        predict_refuse(c->predict, "the run is too long");
    return c;
}

void sched_recorded_calls_destroy(struct sched_recorded_calls *c)
{
    if (!c)
        return;
    for (int rank = 0; rank < c->ranks; rank++) {
        free(c->of[rank].event_of);
        free(c->of[rank].slots);
    }
    predict_destroy(c->predict);
    free(c->of);
    free(c->events);
    free(c->named);
    free(c);
}

struct predict *sched_recorded_calls_predict(const struct sched_recorded_calls *c) { return c->predict; }

bool sched_recorded_calls_vary(const struct sched_recorded_calls *c) { return c->vary; }

bool sched_recorded_calls_is_told(const struct sched_recorded_calls *c)
{
    bool same = c->stuck;
    for (int rank = 0; rank < c->ranks && same; rank++) {
        const struct of_rank *of = &c->of[rank];
        int32_t last = of->n ? of->event_of[of->n - 1] : NONE;
        bool finalizes = last != NONE && c->events[last].call.op == ISP_OP_FINALIZE;
        same = last != NONE && predict_waits(c->predict, rank) == (finalizes ? NONE : last);
    }
    return same;
}

/* ---- the way ---- */

void sched_recorded_calls_begin(struct sched_recorded_calls *c, bool patient) { c->patient = patient; }

static int32_t event_at(const struct sched_recorded_calls *c, int rank, uint64_t index)
{
    return index < c->of[rank].n ? c->of[rank].event_of[index] : NONE;
}

static bool is_same_call(const struct isp_call *a, const struct isp_call *b)
{
    return a->op == b->op && a->mode == b->mode && a->comm == b->comm && a->peer == b->peer &&
           a->tag == b->tag;
}

/* Whether the waits complete just those that the prediction says. */
static bool is_subset(const struct sched_recorded_calls *c, struct poe *poe, int32_t event,
                      const struct poe_choice *choice, const struct poe_alternative *a)
{
    const struct event *e = &c->events[event];
    const struct poe_transition *t = choice->transition;
    uint32_t n = 0;
    if (e->call.mode == ISP_COMPLETE_ALL)
        return true;
    for (size_t i = 0; i < e->n; i++)
        n += predict_completes(c->predict, event, (uint32_t)i);
    for (uint32_t k = 0; k < a->n; k++) {
        const struct poe_transition *o = poe_operation(poe, t->rank, t->call.list[a->positions[k]]);
        int32_t operation = o ? event_at(c, t->rank, o->index) : NONE;
        bool there = false;
        for (size_t i = 0; operation != NONE && i < e->n; i++)
            there |= c->named[e->first + i] == operation && predict_completes(c->predict, event, (uint32_t)i);
        if (!there)
            return false;
    }
    return a->n == n;
}

static bool is_predicted(const struct sched_recorded_calls *c, struct poe *poe, int32_t event,
                         const struct poe_choice *choice, const struct poe_alternative *a)
{
    if (a->kind == POE_TAKE_SUBSET)
        return is_subset(c, poe, event, choice, a);
    if (a->kind != POE_TAKE_MESSAGE)
        return false;
    int32_t send = predict_taken(c->predict, event);
    return send != NONE && c->events[send].rank == a->source && c->events[send].index == a->source_index;
}

/* Its answer was `not yet`, if that is an answer here. */
static unsigned not_yet(const struct poe_choice *choice)
{
    for (unsigned k = 0; k < choice->n; k++)
        if (choice->alternatives[k].kind == POE_NOT_YET)
            return k;
    return 0;
}

unsigned sched_recorded_calls_follow(struct sched_recorded_calls *c, struct poe *poe,
                                     const struct poe_choice *choice)
{
    const struct poe_transition *t = choice->transition;
    int32_t event = event_at(c, t->rank, t->index);
    enum poe_alternative_kind kind = choice->alternatives[0].kind;
    bool decides = kind == POE_TAKE_MESSAGE || kind == POE_TAKE_SUBSET || kind == POE_NOT_YET;
    bool known = t->index < c->of[t->rank].n;
    if (!decides)
        return 0;
    if (event == NONE && known)
        return not_yet(choice);
    c->patient = c->patient && known && is_same_call(&c->events[event].call, &t->call);
    if (event == NONE)
        return 0;
    for (unsigned k = 0; k < choice->n; k++)
        if (is_predicted(c, poe, event, choice, &choice->alternatives[k]))
            return k;
    return c->patient ? choice->n : 0;
}
