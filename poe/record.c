/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls and decisions of a run: see record.h. */
#include "record.h"

#include <string.h>

#include "communicator.h"
#include "instance.h"

void poe_record_init(struct poe *poe)
{
    if (!poe->config.record)
        return;
    poe->record = poe_arena_new(poe->arena, sizeof *poe->record);
    poe->record->ranks = poe_arena_new(poe->arena, (size_t)poe->config.ranks * sizeof *poe->record->ranks);
}

static void forget(struct poe *poe)
{
    struct poe_record *r = poe->record;
    for (int rank = 0; rank < poe->config.ranks; rank++) {
        for (uint32_t i = 0; i < r->ranks[rank].n; i++) {
            poe_arena_free(poe->arena, (void *)r->ranks[rank].calls[i].call.list);
            poe_arena_free(poe->arena, r->ranks[rank].calls[i].names);
        }
        poe_arena_free(poe->arena, r->ranks[rank].calls);
        poe_arena_free(poe->arena, r->ranks[rank].open);
        r->ranks[rank] = (struct poe_recorded_rank){0};
    }
}

static bool is_kept(struct poe *poe, const struct isp_call *call)
{
    struct poe_record *r = poe->record;
    if (!r || r->too_long)
        return false;
    r->threads |= call->thread > 0 || call->others;
    r->too_long = r->n_calls == POE_RECORD_MOST;
    if (r->too_long)
        forget(poe);
    return !r->too_long;
}

/* Whether it is told what calls have to do with each other. */
static bool is_linked(const struct poe *poe)
{
    return poe->record && poe->config.merge && !poe->record->too_long && !poe->record->threads;
}

static void name(struct poe *poe, int rank, struct poe_recorded *call)
{
    const struct poe_rank *r = &poe->ranks[rank];
    if (!is_linked(poe) || !isp_call_names(&call->call) || !call->call.n)
        return;
    call->names = poe_arena_new(poe->arena, call->call.n * sizeof *call->names);
    for (uint32_t i = 0; i < call->call.n; i++)
        call->names[i].at = poe_record_place(poe->record, rank, r->slots[call->call.list[i]]->t.index);
}

void poe_record_call(struct poe *poe, int rank, const struct isp_call *call, uint64_t index)
{
    if (!is_kept(poe, call))
        return;
    struct poe_recorded_rank *r = &poe->record->ranks[rank];
    r->calls = poe_arena_grow(poe->arena, r->calls, &r->room, r->n + 1, sizeof *r->calls);
    struct poe_recorded *to = &r->calls[r->n++];
    *to = (struct poe_recorded){.call = *call, .index = index, .with = {.rank = -1}};
    poe->record->n_calls++;
    size_t words = (size_t)isp_call_words(call);
    to->call.list = to->call.map = NULL;
    to->call.n_map = 0;
    if (!words)
        return;
    uint32_t *list = poe_arena_new(poe->arena, words * sizeof *list);
    memcpy(list, call->list, words * sizeof *list);
    to->call.list = list;
    name(poe, rank, to);
}

uint32_t poe_record_place(const struct poe_record *record, int rank, uint64_t index)
{
    const struct poe_recorded_rank *r = &record->ranks[rank];
    uint32_t first = 0, end = r->n;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (r->calls[middle].index < index)
            first = middle + 1;
        else
            end = middle;
    }
    while (first < r->n && r->calls[first].index == index && r->calls[first].call.op == ISP_OP_READY)
        first++;
    return first < r->n && r->calls[first].index == index ? first : r->n;
}

void poe_record_decision(struct poe *poe, const struct poe_op *op, const struct poe_alternative *taken)
{
    struct poe_record *r = poe->record;
    if (!r)
        return;
    r->last_site = op->t.call.site;
    r->decisions = poe_arena_grow(poe->arena, r->decisions, &r->decisions_room, r->n_decisions + 1,
                                  sizeof *r->decisions);
    struct poe_recorded_decision *d = &r->decisions[r->n_decisions++];
    *d = (struct poe_recorded_decision){.rank = op->t.rank, .taken = *taken};
    d->taken.send = NULL;
    d->taken.positions = NULL;
    if (taken->n) {
        uint32_t *positions = poe_arena_new(poe->arena, taken->n * sizeof *positions);
        memcpy(positions, taken->positions, taken->n * sizeof *positions);
        d->taken.positions = positions;
    }
    if (r->too_long || r->threads)
        return;
    d->at = poe_record_place(r, op->t.rank, op->t.index);
    if (d->at < r->ranks[op->t.rank].n)
        r->ranks[op->t.rank].calls[d->at].decision = r->n_decisions;
}

/* The rank waits in it: it is its last call. */
void poe_record_grant(struct poe *poe, const struct poe_op *lock)
{
    struct poe_record *r = poe->record;
    if (!r)
        return;
    r->visits = true;
    r->last_site = lock->t.call.site;
    if (r->too_long || r->threads)
        return;
    struct poe_recorded_rank *its = &r->ranks[lock->t.rank];
    r->grants = poe_arena_grow(poe->arena, r->grants, &r->grants_room, r->n_grants + 1, sizeof *r->grants);
    r->grants[r->n_grants++] = (struct poe_recorded_grant){.rank = lock->t.rank, .at = its->n - 1};
    its->calls[its->n - 1].grant = r->n_grants;
}

/* Likewise. */
void poe_record_no(struct poe *poe, const struct poe_op *poll)
{
    struct poe_record *r = poe->record;
    if (r && !r->threads && r->ranks[poll->t.rank].n)
        r->ranks[poll->t.rank].calls[r->ranks[poll->t.rank].n - 1].said_no = true;
}

/* ---- what calls have to do with each other ---- */

static struct poe_recorded_at at_of(const struct poe *poe, const struct poe_op *op)
{
    return (struct poe_recorded_at){op->t.rank, poe_record_place(poe->record, op->t.rank, op->t.index)};
}

static struct poe_recorded *recorded(const struct poe *poe, const struct poe_op *op)
{
    struct poe_recorded_at at = at_of(poe, op);
    return &poe->record->ranks[at.rank].calls[at.at];
}

void poe_record_found(struct poe *poe, const struct poe_op *send, const struct poe_op *probe)
{
    if (is_linked(poe))
        recorded(poe, probe)->with = at_of(poe, send);
}

void poe_record_pair(struct poe *poe, const struct poe_op *send, const struct poe_op *receive)
{
    if (!is_linked(poe))
        return;
    recorded(poe, send)->with = at_of(poe, receive);
    recorded(poe, receive)->with = at_of(poe, send);
}

void poe_record_meets(struct poe *poe, const struct poe_op *member)
{
    struct poe_instance *i = member->instance;
    if (!is_linked(poe))
        return;
    if (!i->recorded) {
        size_t n = (size_t)i->comm->n;
        i->recorded = poe_arena_new(poe->arena, sizeof *i->recorded + n * sizeof *i->recorded->all);
        i->recorded->n = i->comm->n;
        for (int k = 0; k < i->comm->n; k++)
            i->recorded->all[k].rank = -1;
    }
    i->recorded->all[poe_comm_place(i->comm, member->t.rank)] = at_of(poe, member);
    recorded(poe, member)->meets = i->recorded;
}

void poe_record_yes(struct poe *poe, const struct poe_op *complete)
{
    bool all = complete->t.call.mode == ISP_COMPLETE_ALL;
    if (!is_linked(poe))
        return;
    struct poe_recorded_named *names = recorded(poe, complete)->names;
    for (uint32_t i = 0; names && i < (all ? complete->t.call.n : complete->n_taken); i++)
        names[all ? i : complete->taken[i]].taken = true;
}

/* ---- what is told ---- */

static const struct poe_recorded *find(const struct poe *poe, struct poe_name name)
{
    bool there = poe->record && name.rank >= 0 && name.rank < poe->config.ranks;
    uint32_t at = there ? poe_record_place(poe->record, name.rank, name.index) : 0;
    return there && at < poe->record->ranks[name.rank].n ? &poe->record->ranks[name.rank].calls[at] : NULL;
}

const struct isp_call *poe_recorded_call(const struct poe *poe, struct poe_name name)
{
    const struct poe_recorded *recorded = find(poe, name);
    return recorded ? &recorded->call : NULL;
}

bool poe_recorded_no(const struct poe *poe, struct poe_name name)
{
    const struct poe_recorded *recorded = find(poe, name);
    return recorded && recorded->said_no;
}

bool poe_recorded_taken(const struct poe *poe, struct poe_name name, struct poe_name *send)
{
    const struct poe_recorded *recorded = find(poe, name);
    if (!recorded || !recorded->decision)
        return false;
    const struct poe_alternative *taken = &poe->record->decisions[recorded->decision - 1].taken;
    *send = (struct poe_name){taken->source, taken->source_index};
    return taken->kind == POE_TAKE_MESSAGE;
}

uint32_t poe_recorded_site(const struct poe *poe) { return poe->record ? poe->record->last_site : 0; }
