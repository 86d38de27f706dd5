/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits: see visit.h. That of two grants the earlier one is put off is the backtrack rule of dynamic partial
 * order reduction (Flanagan and Godefroid 2005), *later* its sleep set: poe/VISITS.md.
 *
 * Where a visit conflicts with an earlier one, its rank knows from its end on what the other rank knew at the
 * end of that one: the two come in this order in all that this run stands for.
 */
#include "visit.h"

#include "clock.h"
#include "cut.h"
#include "lock.h"
#include "race.h"
#include "ready.h"
#include "record.h"

enum { PIECES = 4096, PRUNE = 64, IN_A_ROW = 64 /* grants, while something else could be decided */ };

static bool is_lock(uint8_t mode) { return mode == ISP_LOCK_SHARED || mode == ISP_LOCK_EXCLUSIVE; }

/* ---- pieces ---- */

static void add_piece(struct poe *poe, struct poe_pieces *p, const struct poe_piece *piece)
{
    for (uint32_t i = p->n; i > 0 && i + 8 > p->n; i--) { /* the same again, or what goes on where it ends */
        struct poe_piece *old = &p->all[i - 1];
        bool alike = old->target == piece->target && old->use == piece->use && old->op == piece->op &&
                     old->type == piece->type;
        if (!alike || piece->at < old->at || piece->at > old->end)
            continue;
        old->end = piece->end > old->end ? piece->end : old->end;
        return;
    }
    if (p->n == PIECES) {
        p->unknown = true;
        return;
    }
    p->all = poe_arena_grow(poe->arena, p->all, &p->room, p->n + 1, sizeof *p->all);
    p->all[p->n++] = *piece;
}

static void add_pieces(struct poe *poe, struct poe_pieces *to, const struct poe_pieces *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        add_piece(poe, to, &from->all[i]);
    to->unknown |= from->unknown;
}

static void forget_pieces(struct poe *poe, struct poe_pieces *p)
{
    poe_arena_free(poe->arena, p->all);
    *p = (struct poe_pieces){0};
}

static bool is_same(const struct poe_pieces *a, const struct poe_pieces *b)
{
    if (a->n != b->n || a->unknown || b->unknown)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct poe_piece *x = &a->all[i], *y = &b->all[i];
        if (x->target != y->target || x->use != y->use || x->op != y->op || x->type != y->type ||
            x->at != y->at || x->end != y->end)
            return false;
    }
    return true;
}

static bool reads_only(const struct poe_pieces *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->all[i].use != POE_READS)
            return false;
    return !p->unknown;
}

static bool commute(const struct poe_piece *a, bool a_reads, const struct poe_piece *b, bool b_reads)
{
    if (a->target != b->target || a->end <= b->at || b->end <= a->at)
        return true;
    if ((a_reads || a->use == POE_READS) && (b_reads || b->use == POE_READS))
        return true;
    return a->use == POE_UPDATES && b->use == POE_UPDATES && a->op == b->op && a->type == b->type;
}

/* a_reads: whatever it is, it has changed nothing. */
static bool do_conflict(const struct poe_pieces *a, bool a_reads, const struct poe_pieces *b, bool b_reads)
{
    if (a->unknown || b->unknown)
        return true;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (!commute(&a->all[i], a_reads, &b->all[k], b_reads))
                return true;
    return false;
}

/* ---- what depends on what ---- */

/* Whether the modes let them meet at all. */
static bool may_meet(uint8_t mode, int comm, int peer, const struct isp_call *wanted)
{
    if (is_lock(mode) != is_lock(wanted->mode) || mode == ISP_LOCK_TURN || wanted->mode == ISP_LOCK_TURN)
        return mode == wanted->mode && comm == wanted->comm;
    if (mode == ISP_LOCK_ATOMIC)
        return true; /* two windows may have one memory */
    bool target = peer == wanted->peer || peer == ISP_ANY_SOURCE || wanted->peer == ISP_ANY_SOURCE;
    return comm == wanted->comm && target &&
           (mode == ISP_LOCK_EXCLUSIVE || wanted->mode == ISP_LOCK_EXCLUSIVE);
}

bool poe_visits_may_meet(const struct isp_call *a, const struct isp_call *b)
{
    return may_meet(a->mode, a->comm, a->peer, b);
}

static bool is_own(const struct poe_visit *v, int rank, uint16_t thread)
{
    return v->rank == rank && v->thread == thread;
}

/* The visit, as far as it is known, and what the LOCK may do. */
static bool is_dependent(const struct poe_visit *v, const struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    if (is_own(v, op->t.rank, c->thread) || !may_meet(v->mode, v->comm, v->peer, c))
        return false;
    return is_lock(v->mode) || do_conflict(&v->pieces, v->unchanged, &op->pieces, false);
}

/* Both are over, or wait. */
static bool conflicts(const struct poe_visit *a, const struct poe_visit *b)
{
    struct isp_call c = {.mode = b->mode, .comm = b->comm, .peer = b->peer};
    if (is_own(a, b->rank, b->thread) || !may_meet(a->mode, a->comm, a->peer, &c))
        return false;
    return (is_lock(a->mode) && (a->waited || b->waited)) ||
           do_conflict(&a->pieces, a->unchanged, &b->pieces, b->unchanged);
}

/* ---- polling ---- */

static struct poe_look *look_at(const struct poe_thread *t, uint32_t site)
{
    for (uint32_t i = 0; i < t->n_looks; i++)
        if (t->looks[i].site == site)
            return &t->looks[i];
    return NULL;
}

static void forget_looks(struct poe_thread *t)
{
    for (uint32_t i = 0; i < t->n_looks; i++)
        t->looks[i].in_a_row = 0;
}

/* Somebody has done this: who has read there may read something else now. */
static void tell_looks(struct poe *poe, int rank, uint16_t thread, const struct poe_pieces *pieces,
                       uint64_t number)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++) {
            struct poe_thread *t = &poe->ranks[i].threads[k];
            if (i == rank && k == thread)
                continue;
            for (uint32_t j = 0; j < t->n_looks; j++)
                if (!t->looks[j].changed && do_conflict(&t->looks[j].pieces, true, pieces, false))
                    t->looks[j].changed = number;
        }
}

/* The thread has made this visit, to its end. */
static void note_look(struct poe *poe, struct poe_thread *t, const struct poe_visit *v)
{
    bool read = (v->unchanged || reads_only(&v->pieces)) && (v->pieces.n || v->pieces.unknown);
    struct poe_look *look = look_at(t, v->site);
    if (!read) {
        forget_looks(t);
        return;
    }
    if (!look) {
        t->looks = poe_arena_grow(poe->arena, t->looks, &t->looks_room, t->n_looks + 1, sizeof *t->looks);
        look = &t->looks[t->n_looks++];
        *look = (struct poe_look){.site = v->site};
    }
    bool again = look->in_a_row && !look->changed && is_same(&look->pieces, &v->pieces);
    look->in_a_row = again ? look->in_a_row + 1 : 1;
    look->changed = 0;
    if (again)
        return;
    forget_pieces(poe, &look->pieces);
    add_pieces(poe, &look->pieces, &v->pieces);
}

/* Of an atomic access it is known before what it reads; of an epoch, when there were two alike. So it is of
 * an access of a program that has changed its state since the last one: it may only have kept what it read
 * there for the first time. */
static bool is_foreseen(uint8_t mode, uint32_t flags)
{
    return mode == ISP_LOCK_ATOMIC && !(flags & ISP_F_CHANGED);
}

/* A thread that polls several places waits until one of them has changed. */
static bool has_looked_enough(const struct poe *poe, const struct poe_look *look, bool known,
                              const struct poe_pieces *pieces)
{
    return look && look->in_a_row && look->in_a_row >= poe->config.polls + !known &&
           (!pieces || is_same(&look->pieces, pieces));
}

static bool polls_in_vain(const struct poe *poe, const struct poe_op *op)
{
    const struct poe_thread *t = poe_thread_of(poe, op);
    const struct isp_call *c = &op->t.call;
    const struct poe_pieces *pieces = c->mode == ISP_LOCK_ATOMIC ? &op->pieces : NULL;
    if (!has_looked_enough(poe, look_at(t, poe_call_place(c)), is_foreseen(c->mode, c->flags), pieces))
        return false;
    for (uint32_t i = 0; i < t->n_looks; i++)
        if (t->looks[i].in_a_row && t->looks[i].changed)
            return false;
    return true;
}

/* ---- the end of a visit ---- */

static bool is_known_to_all(const struct poe *poe, const struct poe_visit *v)
{
    const struct poe_thread *its = &poe->ranks[v->rank].threads[v->thread];
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads && !poe->ranks[i].stopped; k++) {
            const struct poe_thread *t = &poe->ranks[i].threads[k];
            if (t != its && poe_clock_at(t->now, POE_CLOCK_INFINITE, its->component) < v->decision)
                return false;
        }
    return true;
}

/* The first one that came while something was put off that still waits. */
static uint64_t first_needed(const struct poe *poe)
{
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++) {
            const struct poe_op *fence = poe->ranks[i].threads[k].fence;
            if (fence && fence->t.call.op == ISP_OP_LOCK && fence->put_off && fence->since < first)
                first = fence->since;
        }
    for (uint32_t i = 0; i < poe->n_visits; i++)
        if (poe->visits[i]->open && poe->visits[i]->put_off && poe->visits[i]->since < first)
            first = poe->visits[i]->since;
    return first;
}

/* Visits with which nothing to come can race are forgotten. */
static void prune(struct poe *poe)
{
    uint64_t needed = first_needed(poe);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        struct poe_visit *v = poe->visits[i];
        if (v->open || v->number >= needed || (v->decision && !is_known_to_all(poe, v))) {
            poe->visits[kept++] = v;
            continue;
        }
        forget_pieces(poe, &v->pieces);
        poe_clock_drop(poe->arena, v->posted);
        poe_clock_drop(poe->arena, v->done);
        poe_arena_free(poe->arena, v);
    }
    poe->n_visits = kept;
    poe->prune_at = 2 * kept + PRUNE;
}

/* What comes late: a visit, or a LOCK that is still wanted. */
struct late {
    const struct poe_visit *visit;
    const struct poe_op *op; /* if there is no visit */
    const struct poe_clock *posted;
    uint64_t since, woken;
};

static struct late late_visit(const struct poe_visit *v)
{
    return (struct late){.visit = v, .posted = v->posted, .since = v->since, .woken = v->woken};
}

static bool comes_after(const struct late *late, const struct poe_visit *v)
{
    return !v->open && (late->visit ? v->number < late->visit->number && conflicts(v, late->visit)
                                    : is_dependent(v, late->op));
}

static void race(struct poe *poe, const struct poe_visit *v, const struct late *late,
                 const struct poe_clock *between)
{
    poe_race_visit(poe, &poe->ranks[v->rank].threads[v->thread], v->decision, late->posted, between);
}

/* What comes late could have come before the visit v, which is the one of this place. If it was asleep when v
 * was decided, the branch in which it was not put off has that order, unless something else that it comes
 * after could have come before v too: that branch has not both. */
static void race_with(struct poe *poe, uint32_t place, const struct late *late)
{
    const struct poe_visit *v = poe->visits[place];
    if (!late->since || v->number < late->since || v->number > late->woken) {
        race(poe, v, late, NULL);
        return;
    }
    for (uint32_t i = place + 1; i < poe->n_visits; i++) {
        const struct poe_visit *between = poe->visits[i];
        if (comes_after(late, between) && !is_own(between, v->rank, v->thread))
            race(poe, v, late, between->done);
    }
}

/* Its order with those that came first: races, and what its thread knows of them. */
static void settle(struct poe *poe, struct poe_visit *v, struct poe_thread *t)
{
    bool reason = !v->put_off;
    const struct late late = late_visit(v);
    const struct poe_look *look = look_at(t, v->site);
    uint64_t vain = has_looked_enough(poe, look, v->foreseen, &v->pieces) ? look->changed : 0;
    for (uint32_t i = 0; i < poe->n_visits && poe->visits[i] != v; i++) {
        struct poe_visit *x = poe->visits[i];
        if (!conflicts(x, v))
            continue;
        reason |= x->number >= v->since;
        if (x->number > vain) /* before that it would have polled in vain, and so it waited */
            race_with(poe, i, &late);
        struct poe_clock *now = poe_clock_join(poe->arena, t->now, x->done);
        poe_clock_drop(poe->arena, t->now);
        t->now = now;
    }
    if (reason || !v->decision || poe->follows) /* in a play, orders are what they were */
        return;
    /* there still may be something that it was put off for */
    poe_race_visit(poe, t, v->decision, NULL, NULL);
    poe->redundant = true;
}

static void end(struct poe *poe, struct poe_visit *v)
{
    struct poe_thread *t = &poe->ranks[v->rank].threads[v->thread];
    v->open = false;
    settle(poe, v, t);
    v->done = poe_clock_keep(t->now);
    note_look(poe, t, v);
    if (!v->unchanged && !reads_only(&v->pieces))
        tell_looks(poe, v->rank, v->thread, &v->pieces, v->number);
    if (poe->n_visits > poe->prune_at)
        prune(poe);
}

/* ---- what a thread tells ---- */

/* Accesses that are made at once belong to the epochs that are open. */
static void take_told(struct poe *poe, int rank, struct poe_thread *t)
{
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        struct poe_visit *v = poe->visits[i];
        if (!v->open || !is_lock(v->mode) || v->rank != rank || v->comm != t->told_window)
            continue;
        for (uint32_t k = 0; k < t->told.n; k++)
            if (v->peer == ISP_ANY_SOURCE || v->peer == t->told.all[k].target)
                add_piece(poe, &v->pieces, &t->told.all[k]);
    }
}

/* What the thread has told belongs to no visit that is to begin. */
static void end_told(struct poe *poe, int rank, unsigned thread)
{
    struct poe_thread *t = &poe->ranks[rank].threads[thread];
    if (!reads_only(&t->told))
        tell_looks(poe, rank, (uint16_t)thread, &t->told, poe->grants);
    forget_pieces(poe, &t->told);
}

void poe_access(struct poe *poe, int rank, unsigned thread, int window, int target, enum poe_use use,
                uint32_t op, uint32_t type, uint64_t at, uint64_t length)
{
    if (thread >= poe->ranks[rank].n_threads || !length)
        return;
    struct poe_thread *t = &poe->ranks[rank].threads[thread];
    struct poe_piece piece = {.target = target,
                              .use = (uint8_t)use,
                              .op = op,
                              .type = type,
                              .at = at,
                              .end = at > UINT64_MAX - length ? UINT64_MAX : at + length};
    if (t->told.n && t->told_window != window) {
        take_told(poe, rank, t);
        end_told(poe, rank, thread);
    }
    t->told_window = window;
    add_piece(poe, &t->told, &piece);
}

void poe_unchanged(struct poe *poe, int rank, unsigned thread)
{
    if (thread < poe->ranks[rank].n_threads && poe->ranks[rank].threads[thread].visit)
        poe->ranks[rank].threads[thread].visit->unchanged = true;
}

void poe_access_unknown(struct poe *poe, int rank) { poe->ranks[rank].untold = true; }

void poe_visit_record(struct poe *poe, int rank, const struct isp_call *c)
{
    struct poe_thread *t = &poe->ranks[rank].threads[c->thread];
    if (t->visit) {
        struct poe_visit *v = t->visit;
        t->visit = NULL;
        end(poe, v);
    }
    bool visits = c->op == ISP_OP_LOCK, request = c->op == ISP_OP_SEND && c->peer == ISP_NO_RANK;
    if (!visits && c->op != ISP_OP_UNLOCK && c->op != ISP_OP_COMPLETE && c->op != ISP_OP_PROBE && !request)
        forget_looks(t);
    if (!t->told.n && !t->told.unknown)
        return;
    take_told(poe, rank, t);
    if (!visits || is_lock(c->mode))
        end_told(poe, rank, c->thread);
}

void poe_visit_wanted(struct poe *poe, struct poe_op *op)
{
    struct poe_thread *t = poe_thread_of(poe, op);
    if (is_lock(op->t.call.mode))
        return;
    op->pieces = t->told;
    op->pieces.unknown |= op->pieces.n == 0;
    t->told = (struct poe_pieces){0};
}

/* From then on the epochs that the thread has open conflict with whatever they keep out, also if they never
 * end. */
static void wait_in_epochs(struct poe *poe, const struct poe_op *fence)
{
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        struct poe_visit *v = poe->visits[i];
        if (!v->open || v->waited || !is_lock(v->mode) || !is_own(v, fence->t.rank, fence->t.call.thread))
            continue;
        v->waited = true;
        const struct late late = late_visit(v);
        for (uint32_t k = 0; k < i; k++)
            if (conflicts(poe->visits[k], v))
                race_with(poe, k, &late);
    }
}

void poe_visit_waits(struct poe *poe, const struct poe_op *fence)
{
    if (fence->t.call.op != ISP_OP_UNLOCK)
        wait_in_epochs(poe, fence);
}

void poe_visit_unlock(struct poe *poe, int rank, const struct isp_call *unlock)
{
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        struct poe_visit *v = poe->visits[i];
        if (v->open && is_lock(v->mode) && v->rank == rank && v->comm == unlock->comm &&
            v->peer == unlock->peer) {
            end(poe, v);
            return;
        }
    }
}

/* A rank has died, or goes on for ever: of an epoch that it has not waited in not everything may have been
 * told. What was put off may still have a reason to come. */
void poe_visits_over(struct poe *poe)
{
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        struct poe_visit *v = poe->visits[i];
        if (!v->open)
            continue;
        v->pieces.unknown |= is_lock(v->mode) && !v->waited;
        const struct late late = late_visit(v);
        for (uint32_t k = 0; k < i; k++)
            if (conflicts(poe->visits[k], v))
                race_with(poe, k, &late);
    }
}

/* ---- grants ---- */

/* It waits for a lock that another one keeps while that one waits for something else. */
static void see_blocked(struct poe *poe, const struct poe_op *op)
{
    const struct late late = {.op = op, .posted = op->posted, .since = op->since, .woken = op->woken};
    for (uint32_t i = 0; i < poe->n_visits; i++) {
        const struct poe_visit *v = poe->visits[i];
        if (v->open && v->waited && is_dependent(v, op))
            race_with(poe, i, &late);
    }
}

enum which { NEXT, MORE, POLLING };

static bool is_candidate(struct poe *poe, struct poe_op *op, enum which which)
{
    if (!op || op->t.call.op != ISP_OP_LOCK || op->ready)
        return false;
    if (!poe_lock_is_free(poe, &op->t.call)) {
        see_blocked(poe, op);
        return false;
    }
    if (op->asleep || (which == MORE && op->t.call.mode != ISP_LOCK_SHARED))
        return false;
    bool in_vain = polls_in_vain(poe, op);
    op->in_vain |= in_vain && which == NEXT;
    op->cut |= in_vain && which == NEXT && op->t.call.flags & ISP_F_CHANGED;
    return in_vain == (which == POLLING);
}

/* Whose last visit is longest ago comes first, then the lowest rank. */
static struct poe_op *candidate(struct poe *poe, enum which which)
{
    struct poe_op *best = NULL;
    for (int rank = 0; rank < poe->config.ranks; rank++) {
        const struct poe_rank *r = &poe->ranks[rank];
        for (uint32_t i = 0; i < r->n_threads && !r->stopped; i++)
            if (is_candidate(poe, r->threads[i].fence, which) &&
                (!best || r->last_lock < poe->ranks[best->t.rank].last_lock)) {
                best = r->threads[i].fence;
                break;
            }
    }
    return best;
}

bool poe_visit_choice(struct poe *poe, bool more)
{
    if (!more)
        poe->granting = false;
    struct poe_op *op = candidate(poe, more ? MORE : NEXT);
    if (!op) {
        poe->granting = false;
        return false;
    }
    poe->alternatives =
        poe_arena_grow(poe->arena, poe->alternatives, &poe->alternatives_room, 1, sizeof *poe->alternatives);
    poe->alternatives[0] = (struct poe_alternative){.kind = POE_GRANT, .source = ISP_NO_RANK};
    poe->choice = (struct poe_choice){
        .transition = &op->t, .n = 1, .alternatives = poe->alternatives, .number = poe->n_decisions};
    poe->choice.signature = poe_mix(poe->signature, poe_mix(poe_mix((uint64_t)op->t.rank, op->t.index),
                                                            poe_mix(POE_GRANT, op->t.call.mode)));
    return true;
}

bool poe_visit_comes_first(const struct poe *poe)
{
    return poe->grants_in_a_row < IN_A_ROW * (uint32_t)poe->config.ranks;
}

/* Others that were put off have something to come after. */
static void wake(struct poe *poe, const struct poe_visit *v)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++) {
            struct poe_op *op = poe->ranks[i].threads[k].fence;
            if (op && op->asleep && is_dependent(v, op))
                op->asleep = false, op->woken = v->number;
        }
}

static void begin(struct poe *poe, struct poe_op *op)
{
    const struct isp_call *c = &op->t.call;
    struct poe_visit *v = poe_arena_new(poe->arena, sizeof *v);
    poe->ranks[op->t.rank].last_lock = ++poe->grants;
    *v = (struct poe_visit){.rank = op->t.rank,
                            .comm = c->comm,
                            .peer = c->peer,
                            .thread = c->thread,
                            .mode = c->mode,
                            .open = true,
                            .foreseen = is_foreseen(c->mode, c->flags),
                            .put_off = op->put_off,
                            .site = poe_call_place(c),
                            .decision = op->decision,
                            .number = poe->grants,
                            .since = op->since,
                            .woken = op->woken,
                            .posted = poe_clock_keep(op->posted),
                            .pieces = op->pieces};
    op->pieces = (struct poe_pieces){0};
    poe_record_grant(poe, op);
    v->pieces.unknown |= poe->ranks[op->t.rank].untold;
    poe->visits = poe_arena_grow(poe->arena, poe->visits, &poe->visits_room, poe->n_visits + 1,
                                 sizeof(struct poe_visit *));
    poe->visits[poe->n_visits++] = v;
    if (is_lock(c->mode))
        poe_lock_hold(poe, op->t.rank, c);
    else
        poe_thread_of(poe, op)->visit = v;
    wake(poe, v);
    op->t.matched = true;
    poe_ready_fence(poe, op);
}

void poe_visit_decide(struct poe *poe, struct poe_op *op, bool grant)
{
    poe->grants_in_a_row++;
    poe->granting = op->t.call.mode == ISP_LOCK_SHARED;
    if (!grant) {
        op->put_off = op->asleep = true;
        op->t.put_off++;
        op->since = poe->grants + 1;
        op->woken = UINT64_MAX;
        return;
    }
    poe_thread_of(poe, op)->spins = false;
    poe->looks_waited |= op->in_vain;
    if (op->in_vain && poe->config.polls == 0)
        poe_cut_note(poe, POE_CUT_NO_POLLS, op);
    if (op->cut)
        poe_cut_note(poe, POE_CUT_LOOKS, op);
    poe_race_decided(poe, op);
    begin(poe, op);
}

/* Where all that is not in vain has been put off, the run is redundant: to let polls go on would only tell it
 * once more, with more polls. */
static bool any_is_asleep(const struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        for (uint32_t k = 0; k < poe->ranks[i].n_threads; k++)
            if (poe->ranks[i].threads[k].fence && poe->ranks[i].threads[k].fence->asleep)
                return true;
    return false;
}

struct poe_op *poe_visit_polling(struct poe *poe)
{
    return any_is_asleep(poe) ? NULL : candidate(poe, POLLING);
}

/* A poll that is not given up: so the thread, too, waits while it holds what it may have locked. */
void poe_visit_force(struct poe *poe, struct poe_op *op)
{
    wait_in_epochs(poe, op);
    poe_thread_of(poe, op)->spins = true;
    begin(poe, op);
}

bool poe_visit_polls(const struct poe *poe, const struct poe_op *fence)
{
    return fence->t.call.op == ISP_OP_LOCK && poe_lock_is_free(poe, &fence->t.call) &&
           polls_in_vain(poe, fence);
}

bool poe_visit_is_put_off(const struct poe_op *op) { return op->asleep; }
