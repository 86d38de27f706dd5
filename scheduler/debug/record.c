/* SPDX-License-Identifier: BSD-3-Clause */
/* See record.h. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/access.h"
#include "poe/poe.h"
#include "rma/accesses.h"
#include "run/run.h"

struct sched_record *sched_record_create(int ranks)
{
    struct sched_record *r = sched_alloc(1, sizeof *r);
    r->ranks = ranks;
    r->of = sched_alloc((size_t)ranks, sizeof *r->of);
    return r;
}

void sched_record_destroy(struct sched_record *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->ranks; i++) {
        for (uint32_t k = 0; k < r->of[i].n; k++) {
            free((void *)r->of[i].events[k].call.list);
            free((void *)r->of[i].events[k].call.map);
            free(r->of[i].events[k].named);
        }
        free(r->of[i].events);
        free(r->of[i].readies);
    }
    for (uint32_t k = 0; k < r->n_matches; k++)
        free(r->matches[k].members);
    for (uint32_t k = 0; k < r->n_answers; k++)
        free((void *)r->answers[k].list);
    for (uint32_t k = 0; k < r->n_choices; k++) {
        for (unsigned i = 0; i < r->choices[k].n; i++)
            free((void *)r->choices[k].alternatives[i].positions);
        free(r->choices[k].alternatives);
    }
    for (uint32_t k = 0; k < r->n_comms; k++)
        free(r->comms[k].members);
    free(r->comms);
    free(r->puts);
    free(r->locks);
    free(r->choices);
    free(r->of);
    free(r->matches);
    free(r->answers);
    free(r);
}

static const uint32_t *copy_list(const uint32_t *list, size_t n)
{
    uint32_t *copy = n ? sched_alloc(n, sizeof *copy) : NULL;
    if (n)
        memcpy(copy, list, n * sizeof *copy);
    return copy;
}

static struct sched_record_event *event_at(const struct sched_record *r, int rank, uint64_t number)
{
    return number < r->of[rank].n ? &r->of[rank].events[number] : NULL;
}

/* ---- as it happens ---- */

static uint32_t number_of(struct poe *poe, int rank, uint32_t handle)
{
    const struct poe_transition *t = poe_operation(poe, rank, handle);
    return t && t->index < SCHED_RECORD_NONE ? (uint32_t)t->index : SCHED_RECORD_NONE;
}

/* Which events a call names by the handles of its list, or by its own. */
static void note_named(struct sched_record_event *e, struct poe *poe, int rank)
{
    const struct isp_call *call = &e->call;
    bool by_list = call->op == ISP_OP_COMPLETE || call->op == ISP_OP_JOIN;
    bool by_handle = call->op == ISP_OP_CANCEL || call->op == ISP_OP_FREE;
    e->n_named = by_list ? call->n : by_handle;
    e->named = sched_alloc(e->n_named, sizeof *e->named);
    for (uint32_t i = 0; i < e->n_named; i++)
        e->named[i] = number_of(poe, rank, by_list ? call->list[i] : call->handle);
}

static void note_comm(struct sched_record *r, const struct poe *poe, int number)
{
    const int *members;
    unsigned n = poe_comm_members(poe, number, &members);
    for (uint32_t k = 0; k < r->n_comms; k++)
        if (r->comms[k].number == number)
            return;
    SCHED_GROW(r->comms, r->n_comms);
    r->comms[r->n_comms++] =
        (struct sched_record_comm){number, n ? sched_copy(members, n * sizeof *members) : NULL, n};
}

static void on_call(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    struct sched_record *r = self;
    struct sched_record_rank *of = &r->of[rank];
    if (call->thread) {
        of->threads = true;
        return;
    }
    if (call->op == ISP_OP_READY) { /* has no index */
        SCHED_GROW(of->readies, of->n_readies);
        of->readies[of->n_readies++] =
            (struct sched_record_ready){number_of(run->poe, rank, call->handle), of->n};
        return;
    }
    SCHED_GROW(of->events, of->n);
    struct sched_record_event *e = &of->events[of->n++];
    *e = (struct sched_record_event){.call = *call};
    e->call.list = copy_list(call->list, isp_call_words(call));
    e->call.map = copy_list(call->map, call->n_map);
    note_named(e, run->poe, rank);
    if (call->op == ISP_OP_COLLECTIVE || call->op == ISP_OP_SEND || call->op == ISP_OP_RECV)
        note_comm(r, run->poe, call->comm);
}

static void note_answer(struct sched_record *r, struct sched_record_event *e, const struct isp_result *result)
{
    SCHED_GROW(r->answers, r->n_answers);
    r->answers[r->n_answers] = *result;
    r->answers[r->n_answers].list = copy_list(result->list, result->n);
    e->answer = ++r->n_answers;
}

/* The fence of a rank's thread is its last event so far. */
static void note_answers(struct sched_record *r, const struct poe_fired *fired)
{
    for (unsigned i = 0; i < fired->n_effects; i++) {
        const struct poe_effect *effect = &fired->effects[i];
        struct sched_record_rank *of = &r->of[effect->rank];
        if (effect->release && effect->thread == 0 && of->n)
            note_answer(r, &of->events[of->n - 1], &effect->result);
    }
}

static void note_cancelled(struct sched_record *r, const struct poe_fired *fired)
{
    for (unsigned i = 0; i < fired->n_effects; i++) {
        const struct poe_effect *effect = &fired->effects[i];
        const struct poe_transition *t = fired->n_members ? fired->members[0] : NULL;
        struct sched_record_event *e = t ? event_at(r, t->rank, t->index) : NULL;
        if (e && !effect->release && effect->action.kind == ISP_ACTION_CANCEL)
            e->cancelled = true;
    }
}

static void note_lock(struct sched_record *r, const struct poe_fired *fired)
{
    const struct poe_transition *t = fired->n_members == 1 ? fired->members[0] : NULL;
    if (!t || t->call.op != ISP_OP_LOCK || t->call.thread)
        return;
    SCHED_GROW(r->locks, r->n_locks);
    r->locks[r->n_locks++] = (struct sched_record_name){t->rank, (uint32_t)t->index};
}

static bool is_message(const struct poe_fired *fired)
{
    uint8_t first = fired->members[0]->call.op,
            second = fired->n_members == 2 ? fired->members[1]->call.op : 0;
    return first == ISP_OP_SEND && (second == ISP_OP_RECV || second == ISP_OP_PROBE);
}

static bool on_fired(void *self, struct sched_run *run, const struct poe_fired *fired)
{
    struct sched_record *r = self;
    note_answers(r, fired);
    note_cancelled(r, fired);
    note_lock(r, fired);
    if (fired->n_members < 2)
        return true;
    SCHED_GROW(r->matches, r->n_matches);
    struct sched_record_match *m = &r->matches[r->n_matches++];
    *m = (struct sched_record_match){.n = fired->n_members, .message = is_message(fired)};
    m->members = sched_alloc(m->n, sizeof *m->members);
    bool takes = !m->message || fired->members[1]->call.op == ISP_OP_RECV;
    for (unsigned i = 0; i < m->n; i++) {
        const struct poe_transition *t = fired->members[i];
        m->members[i] = (struct sched_record_name){t->rank, (uint32_t)t->index};
        struct sched_record_event *e = event_at(r, t->rank, t->index);
        if (e && (takes || i == 1))
            e->match = r->n_matches;
    }
    return true;
}

static void on_decide(void *self, struct sched_run *run, const struct poe_choice *choice, unsigned taken)
{
    struct sched_record *r = self;
    SCHED_GROW(r->choices, r->n_choices);
    struct sched_record_choice *c = &r->choices[r->n_choices++];
    c->of = (struct sched_record_name){choice->transition->rank, (uint32_t)choice->transition->index};
    c->n = choice->n;
    c->taken = taken;
    c->alternatives = sched_alloc(c->n, sizeof *c->alternatives);
    for (unsigned i = 0; i < c->n; i++) {
        c->alternatives[i] = choice->alternatives[i];
        c->alternatives[i].send = NULL;
        c->alternatives[i].positions =
            copy_list(choice->alternatives[i].positions, choice->alternatives[i].n);
    }
}

static void on_access(void *self, const struct sched_run *run, int rank, const struct isp_access *access)
{
    struct sched_record *r = self;
    if (access->target == rank || !sched_rma_writes(access))
        return;
    for (uint32_t i = 0; i < access->n && r->n_puts < SCHED_RECORD_PUTS_MOST; i++) {
        SCHED_GROW(r->puts, r->n_puts);
        r->puts[r->n_puts++] = (struct sched_record_put){.before = {rank, r->of[rank].n},
                                                         .fn = access->fn,
                                                         .site = access->site,
                                                         .target = access->target,
                                                         .at = access->runs[i].at,
                                                         .length = access->runs[i].length};
    }
}

const struct sched_listener sched_record_listener = {
    .access = on_access, .call = on_call, .fired = on_fired, .decide = on_decide};

/* ---- afterwards ---- */

const struct sched_record_event *sched_record_find(const struct sched_record *r,
                                                   struct sched_record_name name)
{
    return name.rank >= 0 && name.rank < r->ranks ? event_at(r, name.rank, name.number) : NULL;
}

bool sched_record_partner(const struct sched_record *r, struct sched_record_name of,
                          struct sched_record_name *partner)
{
    const struct sched_record_event *e = sched_record_find(r, of);
    const struct sched_record_match *m = e && e->match ? &r->matches[e->match - 1] : NULL;
    if (!m || !m->message)
        return false;
    bool sends = m->members[0].rank == of.rank && m->members[0].number == of.number;
    *partner = m->members[sends ? 1 : 0];
    return true;
}

int64_t sched_record_choice_of(const struct sched_record *r, struct sched_record_name name)
{
    for (uint32_t k = 0; k < r->n_choices; k++) {
        const struct sched_record_choice *c = &r->choices[k];
        if (c->of.rank == name.rank && c->of.number == name.number && c->taken < c->n)
            return k;
    }
    return -1;
}
