/* SPDX-License-Identifier: BSD-3-Clause */
/* Admission of threads: see admission.h. */
#include "admission.h"

#include "clock.h"
#include "operation.h"
#include "matches_before.h"
#include "race.h"
#include "ready.h"
#include "unordered.h"

bool poe_admission_concerns(const struct isp_call *c)
{
    if (!c->others || c->flags & (ISP_F_INTERNAL | ISP_F_SIGNAL))
        return false;
    bool message =
        c->op == ISP_OP_SEND || c->op == ISP_OP_PROBE || (c->op == ISP_OP_RECV && c->mode == ISP_RECV_NORMAL);
    return c->op == ISP_OP_COLLECTIVE || (message && c->peer != ISP_NO_RANK);
}

/* ---- who competes ---- */

static bool takes(const struct isp_call *c) { return c->op == ISP_OP_RECV || c->flags & ISP_F_MATCHED; }

static bool tags_meet(int32_t a, int32_t b) { return a == b || a == ISP_ANY_TAG || b == ISP_ANY_TAG; }

static bool takers_compete(const struct isp_call *a, const struct isp_call *b)
{
    bool peers = a->peer == b->peer || a->peer == ISP_ANY_SOURCE || b->peer == ISP_ANY_SOURCE;
    return peers && tags_meet(a->tag, b->tag) && (takes(a) || takes(b));
}

/* Of a group of its own (ISP_F_SUBSET) the tag tells which; the starts of one persistent collective are in
 * order by themselves. */
static bool collectives_compete(const struct isp_call *a, const struct isp_call *b)
{
    bool group = a->flags & ISP_F_SUBSET, other_group = b->flags & ISP_F_SUBSET;
    bool started = (a->mode == ISP_MAKE_NOTHING && a->key) || (b->mode == ISP_MAKE_NOTHING && b->key);
    return group == other_group && !started && (!group || a->tag == b->tag);
}

static bool compete(const struct poe *poe, const struct isp_call *a, const struct isp_call *b)
{
    if (a->comm != b->comm || (a->flags ^ b->flags) & ISP_F_PARTITIONED)
        return false;
    /* units of a message, that match their like only */
    if (a->flags & ISP_F_PARTITIONED && a->color != b->color)
        return false;
    if (a->op == ISP_OP_COLLECTIVE || b->op == ISP_OP_COLLECTIVE) /* of this rank alone: any order will do */
        return a->op == b->op && poe_comm_find(poe, a->comm)->n > 1 && collectives_compete(a, b);
    if (a->op != ISP_OP_SEND && b->op != ISP_OP_SEND)
        return takers_compete(a, b);
    if (a->op != b->op || a->peer != b->peer)
        return false;
    return a->tag == b->tag || poe_comm_inbox(poe_comm_find(poe, a->comm), a->peer)->any_tag;
}

bool poe_calls_compete(const struct poe *poe, const struct isp_call *a, const struct isp_call *b)
{
    return poe_admission_concerns(a) && poe_admission_concerns(b) && a->thread != b->thread &&
           compete(poe, a, b);
}

/* ---- races ---- */

/* What knows `clock` (and `other`) need not come after this admission. excluded: NULL, or the call that does,
 * if it cannot come before it, since both need a mutex. */
static void judge(struct poe *poe, const struct poe_thread *t, struct poe_admitted *a,
                  const struct poe_clock *clock, const struct poe_clock *other, const struct poe_op *excluded)
{
    uint32_t component = t->admissions_component;
    if (a->number <= poe_clock_at(clock, POE_CLOCK_INFINITE, component) ||
        a->number <= poe_clock_at(other, POE_CLOCK_INFINITE, component))
        return;
    bool zero = a->number > poe_clock_at(clock, POE_CLOCK_ZERO, component) &&
                a->number > poe_clock_at(other, POE_CLOCK_ZERO, component);
    if (!zero && !poe->config.buffered)
        poe->buffering_matters = true;
    else if (excluded)
        poe_note_competing(poe, excluded->t.rank, &a->call, &excluded->t.call);
    else if (!a->raced)
        poe_race_tell(poe, a->decision);
    a->raced |= !excluded && (zero || poe->config.buffered);
}

static bool slept_through(const struct poe_thread *t, const struct poe_admitted *a)
{
    return a->at > t->slept_from && a->at <= t->slept_to;
}

/* That collectives are called at the same time is an error, which has been told: their other order shows no
 * more. */
static bool is_told(const struct poe_op *op) { return op->t.call.op == ISP_OP_COLLECTIVE && op->rivalled; }

/* Both need something that one at a time has: unless they were there together, which a semaphore may
 * allow. */
static bool exclude(const struct poe_admitted *a, const struct poe_op *op, uint64_t called_at)
{
    return poe_both_share_mutex(&a->call, &op->t.call) && a->at <= called_at;
}

/* With the calls of other threads that were admitted before; but not while this one was put off: that it
 * comes before them, another run shows. called_at: in admissions of the run. */
static void race(struct poe *poe, const struct poe_op *op, uint64_t called_at)
{
    const struct poe_rank *r = &poe->ranks[op->t.rank];
    const struct poe_thread *own = poe_thread_of(poe, op);
    for (uint32_t i = 0; !is_told(op) && i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        if (i == op->t.call.thread || !t->n_admitted)
            continue;
        uint32_t known = poe_clock_at(op->posted, POE_CLOCK_INFINITE, t->admissions_component);
        for (uint32_t k = t->n_admitted; k-- > 0 && t->admitted[k].number > known;)
            if (!t->admitted[k].raced && !slept_through(own, &t->admitted[k]) &&
                compete(poe, &t->admitted[k].call, &op->t.call))
                judge(poe, t, &t->admitted[k], op->posted, NULL,
                      exclude(&t->admitted[k], op, called_at) ? op : NULL);
    }
}

/* Another thread has had a mutex that this one had before it called, and nothing orders the two. */
static void see_mutexes(struct poe *poe, const struct poe_op *op)
{
    const struct poe_rank *r = &poe->ranks[op->t.rank];
    for (uint32_t i = 0; op->t.call.took && i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        if (i == op->t.call.thread || !t->n_admitted)
            continue;
        uint32_t known = poe_clock_at(op->posted, POE_CLOCK_INFINITE, t->admissions_component);
        for (uint32_t k = t->n_admitted; k-- > 0 && t->admitted[k].number > known;)
            if (t->admitted[k].call.took & op->t.call.took)
                poe_note_unordered(poe, op->t.rank, POE_UNORDERED_BEFORE, &t->admitted[k].call, &op->t.call);
    }
}

/* What came before the thread was woken may have been called under the mutex that it waited for. That is an
 * order like any other to judge(); whether the program has made it on purpose cannot be told. */
static void see_nothing(struct poe *poe, const struct poe_op *op)
{
    const struct poe_rank *r = &poe->ranks[op->t.rank];
    uint64_t woken_at = poe_thread_of(poe, op)->woken_at;
    for (uint32_t i = 0; op->t.call.flags & ISP_F_BLIND && i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        for (uint32_t k = i == op->t.call.thread ? 0 : t->n_admitted;
             k-- > 0 && !poe->unordered.rank_plus_one;)
            if (t->admitted[k].at <= woken_at && compete(poe, &t->admitted[k].call, &op->t.call))
                poe_note_unordered(poe, op->t.rank, POE_UNORDERED_BLIND, &t->admitted[k].call, &op->t.call);
    }
}

/* ---- sleep ---- */

static void wake(struct poe *poe, struct poe_thread *t)
{
    if (!t->put_off)
        return;
    poe->admissions_asleep--;
    t->put_off = false;
    t->slept_to = poe->entered;
}

static bool competes_with_any(const struct poe *poe, const struct poe_thread *t, const struct isp_call *call)
{
    for (const struct poe_op *op = t->await_first; op; op = op->next)
        if (compete(poe, &op->t.call, call))
            return true;
    return false;
}

/* Those that compete with what another thread has called. */
static void wake_rivals(struct poe *poe, const struct poe_op *op)
{
    const struct poe_rank *r = &poe->ranks[op->t.rank];
    for (uint32_t i = 0; i < r->n_threads; i++)
        if (i != op->t.call.thread && r->threads[i].put_off &&
            competes_with_any(poe, &r->threads[i], &op->t.call))
            wake(poe, &r->threads[i]);
}

void poe_admission_found(struct poe *poe, const struct poe_op *probe)
{
    if (poe->admissions_asleep)
        wake_rivals(poe, probe);
}

/* Nor need the probes have found it that did so since `taker` was admitted (which polls, and is told
 * last). */
static void race_of_finders(struct poe *poe, const struct poe_op *taker, const struct poe_op *send)
{
    const struct poe_rank *r = &poe->ranks[taker->t.rank];
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const struct poe_thread *t = &r->threads[i];
        bool found = i != taker->t.call.thread && send->seen & poe_thread_bit_of(i);
        for (uint32_t k = found ? t->n_admitted : 0; k-- > 0 && t->admitted[k].at > taker->entered_at;)
            if (t->admitted[k].call.op == ISP_OP_PROBE && compete(poe, &t->admitted[k].call, &taker->t.call))
                judge(poe, t, &t->admitted[k], taker->posted, NULL, NULL);
    }
}

void poe_admission_taken(struct poe *poe, const struct poe_op *taker, const struct poe_op *send)
{
    const struct poe_rank *r = &poe->ranks[taker->t.rank];
    struct poe_thread *t = poe_thread_of(poe, taker);
    if (!taker->admitted)
        return;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        const struct poe_op *probe = r->threads[i].fence;
        bool waits = probe && i != taker->t.call.thread && probe->t.call.op == ISP_OP_PROBE &&
                     !probe->awaits && !probe->ready;
        if (waits && probe->t.call.comm == taker->t.call.comm && mb_accepts(probe, send))
            judge(poe, t, &t->admitted[taker->admitted - 1], send->posted, probe->posted, NULL);
    }
    race_of_finders(poe, taker, send);
}

/* Two messages of one channel that are both there, `first` first: now their order can be told. Where who
 * tells it is there only because of `first`, he would not be if that were put off. */
static void race_of_tags(struct poe *poe, const struct poe_op *first, const struct poe_op *second,
                         const struct poe_op *taker)
{
    struct poe_thread *t = poe_thread_of(poe, first);
    struct poe_admitted *a = &t->admitted[first->admitted - 1];
    bool raced = a->raced;
    const struct poe_admitted *after = &poe_thread_of(poe, second)->admitted[second->admitted - 1];
    if (second->t.call.flags & ISP_F_BLIND && a->at <= after->woken_at)
        poe_note_unordered(poe, first->t.rank, POE_UNORDERED_BLIND, &first->t.call, &second->t.call);
    judge(poe, t, a, second->posted, NULL,
          poe_both_share_mutex(&first->t.call, &second->t.call) ? second : NULL);
    if (!raced && a->raced &&
        poe_clock_at(taker->posted, POE_CLOCK_INFINITE, t->admissions_component) >= a->number)
        poe_note_competing(poe, first->t.rank, &first->t.call, &second->t.call);
}

static void races_of_channel(struct poe *poe, const struct poe_channel *channel, const struct poe_op *taker)
{
    for (const struct poe_op *second = channel->first; second; second = second->next)
        for (const struct poe_op *first = channel->first; first != second; first = first->next)
            if (first->admitted && second->admitted && first->t.call.thread != second->t.call.thread &&
                first->t.call.tag != second->t.call.tag)
                race_of_tags(poe, first, second, taker);
    for (const struct poe_op *op = poe->admissions_asleep ? channel->first : NULL; op; op = op->next)
        wake_rivals(poe, op);
}

void poe_admission_see_tag(struct poe *poe, const struct poe_op *taker)
{
    struct poe_comm *comm = poe_comm_find(poe, taker->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, taker->t.rank);
    if (taker->t.call.tag != ISP_ANY_TAG || inbox->any_tag)
        return;
    inbox->any_tag = true;
    for (uint32_t i = 0; i < inbox->n_channels; i++)
        if (poe->ranks[inbox->channels[i].source].n_threads > 1)
            races_of_channel(poe, &inbox->channels[i], taker);
}

/* ---- collectives at the same time ---- */

static struct poe_op *rival_in(const struct poe *poe, const struct poe_thread *t, const struct poe_op *op)
{
    struct poe_op *fence =
        t->fence && t->fence->t.call.op == ISP_OP_COLLECTIVE && t->fence->t.call.others ? t->fence : NULL;
    for (struct poe_op *other = t->await_first; other; other = other->next)
        if (other->t.call.op == ISP_OP_COLLECTIVE && compete(poe, &other->t.call, &op->t.call))
            return other;
    return fence && compete(poe, &fence->t.call, &op->t.call) ? fence : NULL;
}

static void find_rival(struct poe *poe)
{
    struct poe_op *first = poe_op_of(poe->choice.transition);
    const struct poe_rank *r = &poe->ranks[first->t.rank];
    poe->rival = NULL;
    for (struct poe_op *op = first; op; op = op->next)
        for (uint32_t i = 0; op->t.call.op == ISP_OP_COLLECTIVE && i < r->n_threads; i++) {
            struct poe_op *rival = i != op->t.call.thread ? rival_in(poe, &r->threads[i], op) : NULL;
            if (rival) {
                rival->rivalled = op->rivalled = true;
                poe->rival = &rival->t;
            }
        }
}

const struct poe_transition *poe_rival(struct poe *poe) { return poe->rival; }

/* ---- admission ---- */

void poe_admission_await(struct poe *poe, struct poe_op *op)
{
    struct poe_thread *t = poe_thread_of(poe, op);
    poe->admissions += !t->await_first;
    op->awaits = true;
    op->entered_at = poe->entered; /* not yet: when it was called */
    op->next = NULL;
    *(t->await_first ? &t->await_last->next : &t->await_first) = op;
    t->await_last = op;
}

void poe_admission_hold(struct poe *poe, int rank, unsigned thread)
{
    struct poe_thread *t = &poe->ranks[rank].threads[thread];
    t->held = true;
    if (!t->await_first)
        poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_ADMITTED, .rank = rank, .thread = thread});
}

bool poe_admission_find(struct poe *poe)
{
    const struct poe_op *op = NULL;
    for (int rank = 0; rank < poe->config.ranks && !op; rank++)
        for (uint32_t i = 0; i < poe->ranks[rank].n_threads && !op; i++)
            if (!poe->ranks[rank].threads[i].put_off)
                op = poe->ranks[rank].threads[i].await_first;
    if (!op)
        return false;
    poe->alternatives =
        poe_arena_grow(poe->arena, poe->alternatives, &poe->alternatives_room, 1, sizeof *poe->alternatives);
    poe->alternatives[0] = (struct poe_alternative){.kind = POE_ADMIT, .source = ISP_NO_RANK};
    poe->choice = (struct poe_choice){
        .transition = &op->t, .number = poe->n_decisions, .alternatives = poe->alternatives, .n = 1};
    find_rival(poe);
    poe->choice.signature =
        poe_mix(poe->signature, poe_mix(poe_mix((uint64_t)op->t.rank, op->t.index), POE_ADMIT));
    return true;
}

static void note(struct poe *poe, struct poe_thread *t, struct poe_op *op)
{
    t->admitted =
        poe_arena_grow(poe->arena, t->admitted, &t->admitted_room, t->n_admitted + 1, sizeof *t->admitted);
    t->admitted[t->n_admitted] = (struct poe_admitted){.decision = poe->n_decisions,
                                                       .number = t->admissions,
                                                       .at = op->entered_at,
                                                       .woken_at = t->woken_at,
                                                       .call = op->t.call};
    t->admitted[t->n_admitted].call.list = NULL;
    op->admitted = ++t->n_admitted;
}

static void admit(struct poe *poe, struct poe_thread *t)
{
    if (t->admissions_component == POE_NO_COMPONENT)
        t->admissions_component = poe->components++;
    t->admissions++;
    t->now = poe_clock_set(poe->arena, t->now, t->admissions_component, t->admissions, true, true, true);
    struct poe_op *op = t->await_first;
    t->await_first = t->await_last = NULL;
    poe->admissions--;
    for (struct poe_op *next; op; op = next) {
        next = op->next;
        op->next = NULL;
        op->awaits = false;
        poe_clock_drop(poe->arena, op->posted);
        op->posted = poe_clock_keep(t->now);
        uint64_t called_at = op->entered_at;
        op->entered_at = ++poe->entered;
        wake_rivals(poe, op);
        note(poe, t, op);
        race(poe, op, called_at);
        see_mutexes(poe, op);
        see_nothing(poe, op);
        poe->hooks->enter(poe, op);
    }
    t->slept_from = t->slept_to = 0; /* what it calls from now on was not put off */
}

void poe_admission_decide(struct poe *poe, bool now)
{
    const struct poe_op *op = poe_op_of(poe->choice.transition);
    int rank = op->t.rank;
    unsigned thread = op->t.call.thread;
    struct poe_thread *t = &poe->ranks[rank].threads[thread];
    poe_fired_clear(poe);
    if (!now) {
        t->put_off = true;
        t->slept_from = poe->entered;
        poe->admissions_asleep++;
        return;
    }
    admit(poe, t);
    if (t->held)
        poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_ADMITTED, .rank = rank, .thread = thread});
}

void poe_admission_release(struct poe *poe, int rank, unsigned thread)
{
    poe->ranks[rank].threads[thread].held = false;
    poe_admission_let_go(poe, rank, thread);
    poe_runs(poe, rank);
    struct poe_effect *e = poe_fired_effect(poe, rank);
    e->release = true;
    e->thread = (uint16_t)thread;
    e->result = (struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM};
}

/* ---- who woke whom ---- */

void poe_admission_let_go(struct poe *poe, int rank, unsigned thread)
{
    struct poe_rank *r = &poe->ranks[rank];
    if (r->quiet) {
        r->causes = 0;
        for (uint32_t i = 0; i < r->n_threads; i++)
            r->threads[i].let_go = false;
    }
    r->causes += r->causes < 2;
    r->cause = thread;
    r->threads[thread].let_go = true;
}

void poe_admission_woken(struct poe *poe, int rank, const struct isp_call *call)
{
    struct poe_rank *r = &poe->ranks[rank];
    struct poe_thread *t = &r->threads[call->thread];
    if (call->op != ISP_OP_ADMIT) {
        t->guards = call->guards;
        t->perhaps = call->perhaps;
        t->called_at = poe->entered;
    }
    poe->blind |= (call->flags & ISP_F_BLIND) != 0;
    if (t->let_go)
        return;
    t->let_go = true;
    t->woken_at = poe->entered;
    const struct poe_thread *cause = &r->threads[r->cause];
    bool excluded =
        poe_share_mutex(cause->guards, cause->perhaps, call); /* it may have waited for the mutex */
    if (r->causes != 1 || r->guessed || excluded)
        return;
    struct poe_clock *now = poe_clock_join(poe->arena, t->now, r->threads[r->cause].now);
    poe_clock_drop(poe->arena, t->now);
    t->now = now;
}

void poe_admission_polls(struct poe *poe, const struct poe_op *poll)
{
    const struct isp_call *c = &poll->t.call;
    bool blind = c->flags & ISP_F_BLIND;
    if (!blind && !c->guards && !c->perhaps)
        return;
    const struct poe_rank *r = &poe->ranks[poll->t.rank];
    for (uint32_t i = 0; i < c->n; i++) {
        struct poe_op *x = poll->waits[i];
        const struct poe_thread *other =
            x->asked_by && x->asked_by != c->thread + 1u ? &r->threads[x->asked_by - 1u] : NULL;
        struct isp_call first = {
            .fn = x->asked_fn, .site = x->asked_site, .guards = x->asked_guards, .perhaps = x->asked_perhaps};
        if (other && blind)
            poe_note_unordered(poe, poll->t.rank, POE_UNORDERED_BLIND, &first, c);
        if (other && poe_both_share_mutex(&first, c) &&
            poe_clock_at(poll->posted, POE_CLOCK_INFINITE, other->component) < x->asked_decision)
            poe_note_competing(poe, poll->t.rank, &first, c);
        x->asked_by = (uint16_t)(c->thread + 1u);
        x->asked_fn = c->fn, x->asked_site = c->site;
        x->asked_guards = c->guards, x->asked_perhaps = c->perhaps;
        x->asked_decision = r->threads[c->thread].decisions + 1;
    }
}
