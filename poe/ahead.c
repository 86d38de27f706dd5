/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See ahead.h. It is counted how many calls each rank has made with nothing kept, and which receives and
 * probes are matched then, with the messages that they got in the run. Both only grow along a run, so each
 * choice point looks at what is new. A collective needs all of its members: MPI_Comm_free does not, but then
 * more of the past is compared than must be.
 */
#include "ahead.h"

#include <stdlib.h>
#include <string.h>

#include "record.h"

enum { MOST = 1024 }; /* calls, of all ranks */

static const struct poe_recorded *call_at(const struct poe_record *r, struct poe_recorded_at at)
{
    return &r->ranks[at.rank].calls[at.at];
}

static bool is_made(const struct poe_record *r, struct poe_recorded_at at)
{
    return at.rank >= 0 && at.at < r->ranks[at.rank].made;
}

/* ---- with nothing kept ---- */

static bool all_meet(const struct poe_record *r, const struct poe_recorded_meeting *m)
{
    for (int i = 0; m && i < m->n; i++)
        if (!is_made(r, m->all[i]))
            return false;
    return m;
}

/* A Mrecv has its message already. */
static bool is_matched(const struct poe_record *r, struct poe_recorded_at receive)
{
    return is_made(r, receive) &&
           (call_at(r, receive)->call.mode == ISP_RECV_MESSAGE || call_at(r, receive)->zero);
}

/* The operation, which is made and is no join, is complete. */
static bool is_one_complete(const struct poe_record *r, struct poe_recorded_at at)
{
    const struct poe_recorded *c = call_at(r, at);
    switch (c->call.op) {
    case ISP_OP_SEND: return c->call.peer == ISP_NO_RANK || is_matched(r, c->with);
    case ISP_OP_RECV: return c->call.peer == ISP_NO_RANK || is_matched(r, at);
    case ISP_OP_PROBE: return c->zero;
    case ISP_OP_COLLECTIVE: return all_meet(r, c->meets);
    default: return false;
    }
}

/* What is joined are sends and receives. */
static bool is_complete(const struct poe_record *r, struct poe_recorded_at at)
{
    const struct poe_recorded *c = call_at(r, at);
    if (c->call.op != ISP_OP_JOIN)
        return is_one_complete(r, at);
    for (uint32_t i = 0; i < c->call.n; i++)
        if (!is_one_complete(r, (struct poe_recorded_at){at.rank, c->names[i].at}))
            return false;
    return true;
}

/* Its rank, which went on in the run, goes on. */
static bool is_passed(const struct poe_record *r, struct poe_recorded_at at)
{
    const struct poe_recorded *c = call_at(r, at);
    if (!(c->call.flags & (ISP_F_FENCE | ISP_F_DETACHED)) || c->said_no)
        return true;
    if (c->call.op != ISP_OP_COMPLETE)
        return is_complete(r, at);
    for (uint32_t i = 0; i < c->call.n; i++)
        if (c->names[i].taken && !is_complete(r, (struct poe_recorded_at){at.rank, c->names[i].at}))
            return false;
    return true;
}

static bool accepts(const struct isp_call *receive, int source, const struct isp_call *send)
{
    return receive->comm == send->comm && (receive->peer == ISP_ANY_SOURCE || receive->peer == source) &&
           (receive->tag == ISP_ANY_TAG || receive->tag == send->tag);
}

/* A receive that came before, and is still open, would take the message; or is to take one that this one
 * would take first (MPI-4.0, 3.5). */
static bool is_shielded(const struct poe_record *r, const struct poe_recorded *receive,
                        const struct poe_recorded *before)
{
    const struct poe_recorded *send = call_at(r, receive->with);
    struct poe_recorded_at other = before->with;
    if (before->call.op == ISP_OP_PROBE) /* its rank waits in it */
        return true;
    return accepts(&before->call, receive->with.rank, &send->call) ||
           (other.rank == receive->with.rank && other.at < receive->with.at &&
            accepts(&receive->call, other.rank, &call_at(r, other)->call));
}

static bool may_match(const struct poe_record *r, const struct poe_recorded_rank *its, uint32_t n)
{
    const struct poe_recorded *receive = &its->calls[its->open[n]];
    if (!is_made(r, receive->with))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (is_shielded(r, receive, &its->calls[its->open[i]]))
            return false;
    return true;
}

static void close_open(struct poe_recorded_rank *its, uint32_t i)
{
    its->n_open--;
    memmove(&its->open[i], &its->open[i + 1], (its->n_open - i) * sizeof *its->open);
}

static bool match(const struct poe_record *r, struct poe_recorded_rank *its)
{
    uint32_t n = its->n_open;
    for (uint32_t i = 0; i < its->n_open;) {
        struct poe_recorded *c = &its->calls[its->open[i]];
        bool matches = !c->said_no && may_match(r, its, i);
        c->zero |= matches;
        if (matches || c->said_no) /* which was not known yet when it was made */
            close_open(its, i);
        else
            i++;
    }
    return its->n_open < n;
}

static void make(const struct poe *poe, struct poe_recorded_rank *its)
{
    const struct isp_call *c = &its->calls[its->made].call;
    bool receives = c->op == ISP_OP_RECV && c->mode != ISP_RECV_MESSAGE && c->peer != ISP_NO_RANK;
    bool finds = c->op == ISP_OP_PROBE && !its->calls[its->made].said_no;
    if (receives || finds) {
        its->open =
            poe_arena_grow(poe->arena, its->open, &its->open_room, its->n_open + 1, sizeof *its->open);
        its->open[its->n_open++] = its->made;
    }
    its->made++;
}

static bool go_on(const struct poe *poe, int rank)
{
    const struct poe_record *r = poe->record;
    struct poe_recorded_rank *its = &r->ranks[rank];
    bool any = match(r, its);
    while (its->made < its->n &&
           (its->made == 0 || is_passed(r, (struct poe_recorded_at){rank, its->made - 1}))) {
        make(poe, its);
        match(r, its);
        any = true;
    }
    return any;
}

/* ---- what is ahead ---- */

struct telling {
    const struct poe *poe;
    struct poe_hash *hash;
    bool *pending; /* by rank: a call that is not ahead is complete by one that is */
};

static void add(struct telling *t, uint64_t value) { poe_hash_add(t->hash, value); }

/* From the state on backwards: how many calls came before may differ. */
static void add_place(struct telling *t, struct poe_recorded_at at)
{
    add(t, (uint64_t)at.rank << 32 | (t->poe->record->ranks[at.rank].n - at.at));
}

static void add_operation(struct telling *t, struct poe_recorded_at at)
{
    const struct poe_record *r = t->poe->record;
    if (at.rank < 0) {
        add(t, 0);
    } else if (!is_made(r, at)) {
        add(t, 1);
        add_place(t, at);
    } else if (is_complete(r, at)) {
        add(t, 2);
    } else {
        t->pending[at.rank] = true;
        add(t, 3);
        add_place(t, at);
        poe_hash_call(t->hash, &call_at(r, at)->call, false);
    }
}

static void add_call(struct telling *t, int rank, const struct poe_recorded *c)
{
    poe_hash_call(t->hash, &c->call, false);
    add(t, (uint64_t)c->said_no << 1 | (c->decision != 0));
    add_operation(t, c->with);
    for (int i = 0; c->meets && i < c->meets->n; i++)
        add_operation(t, c->meets->all[i]);
    for (uint32_t i = 0; c->names && i < c->call.n; i++) {
        add(t, c->names[i].taken);
        add_operation(t, (struct poe_recorded_at){rank, c->names[i].at});
    }
}

/* What the run has matched, but not with nothing kept. */
static void add_open(struct telling *t, int rank)
{
    const struct poe_recorded_rank *its = &t->poe->record->ranks[rank];
    for (uint32_t i = 0; i < its->n_open; i++) {
        if (its->calls[its->open[i]].with.rank < 0)
            continue;
        add_operation(t, (struct poe_recorded_at){rank, its->open[i]});
        add_operation(t, its->calls[its->open[i]].with);
    }
    add(t, 0);
}

/* Where among the calls of its rank the state's operations are. */
static void add_live(struct telling *t, int rank)
{
    for (const struct poe_op *op = t->poe->ranks[rank].live_first; op; op = op->live_next)
        add_place(t, (struct poe_recorded_at){rank, poe_record_place(t->poe->record, rank, op->t.index)});
    add(t, 0);
}

static void add_all(struct telling *t)
{
    const struct poe_record *r = t->poe->record;
    int ranks = t->poe->config.ranks;
    for (int rank = 0; rank < ranks; rank++) {
        add(t, r->ranks[rank].n - r->ranks[rank].made);
        t->pending[rank] |= r->ranks[rank].made < r->ranks[rank].n;
        for (uint32_t at = r->ranks[rank].made; at < r->ranks[rank].n; at++)
            add_call(t, rank, &r->ranks[rank].calls[at]);
        add_open(t, rank);
    }
    for (int rank = 0; rank < ranks; rank++)
        if (t->pending[rank])
            add_live(t, rank);
}

bool poe_ahead_add(const struct poe *poe, struct poe_hash *hash)
{
    struct poe_record *r = poe->record;
    bool any = true;
    size_t ahead = 0, ranks = (size_t)poe->config.ranks;
    if (!r || !poe->config.buffered)
        return true;
    if (r->too_long || r->threads)
        return false;
    while (any) {
        any = false;
        for (int rank = 0; rank < poe->config.ranks; rank++)
            any |= go_on(poe, rank);
    }
    for (int rank = 0; rank < poe->config.ranks; rank++)
        ahead += r->ranks[rank].n - r->ranks[rank].made;
    if (ahead == 0 || ahead > MOST)
        return ahead == 0;
    struct telling t = {.poe = poe, .hash = hash, .pending = poe_alloc(NULL, ranks * sizeof(bool))};
    memset(t.pending, 0, ranks * sizeof(bool));
    add_all(&t);
    free(t.pending);
    return true;
}
