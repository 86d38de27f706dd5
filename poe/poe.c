/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run: transitions in (poe_add), match sets and choice points out (poe_step). The priority
 * order of POE: whatever is deterministic fires as soon as it is there; only when all ranks
 * wait and nothing is ready is a nondeterministic transition decided; only when there is none
 * are polls told `not yet`; and only then is it a deadlock.
 */
#include "poe/poe.h"

#include <stdlib.h>
#include <string.h>

#include "isp/possible.h"

#include "admission.h"
#include "attached.h"
#include "barrier.h"
#include "cancel.h"
#include "choice.h"
#include "clock.h"
#include "collective.h"
#include "fence.h"
#include "join.h"
#include "kept.h"
#include "lock.h"
#include "match_set.h"
#include "operation.h"
#include "partition.h"
#include "poll.h"
#include "race.h"
#include "ready.h"
#include "ready_send.h"
#include "record.h"
#include "shown.h"
#include "visit.h"

static void threads_grow(struct poe *poe, struct poe_rank *r, uint32_t n)
{
    r->threads = poe_arena_resize(poe->arena, r->threads, n * sizeof *r->threads);
    memset(&r->threads[r->n_threads], 0, (n - r->n_threads) * sizeof *r->threads);
    for (; r->n_threads < n; r->n_threads++) {
        struct poe_thread *t = &r->threads[r->n_threads];
        t->component = t->receives_component = t->calls_component = t->stamp_component =
            t->admissions_component = POE_NO_COMPONENT;
    }
}

static void take_place(struct poe *poe, struct poe_op *op);

static const struct poe_hooks hooks = {
    .enter = take_place,
    .let_go = poe_admission_let_go,
    .poll_answered = poe_poll_answered,
    .cancel_answered = poe_cancel_answered,
};

struct poe *poe_create(const struct poe_config *config)
{
    struct poe_arena *arena = poe_arena_create();
    struct poe *poe = poe_arena_new(arena, sizeof *poe);
    size_t n = (size_t)config->ranks;
    poe->arena = arena;
    poe->hooks = &hooks;
    poe->config = *config;
    poe->short_from = POE_NEVER_SHORT;
    if (!poe->config.livelock_rounds)
        poe->config.livelock_rounds = 1;
    poe->running = config->ranks;
    poe_kept_init(poe, config);
    poe_record_init(poe);
    poe->ranks = poe_arena_new(poe->arena, n * sizeof *poe->ranks);
    int *all = poe_alloc(NULL, n * sizeof *all);
    for (int i = 0; i < config->ranks; i++) {
        all[i] = i;
        threads_grow(poe, &poe->ranks[i], 1);
    }
    poe_comm_create(poe, all, config->ranks, 1); /* ISP_COMM_WORLD */
    for (int i = 0; i < config->ranks; i++)
        poe_comm_create(poe, &all[i], 1, poe_mix(2, (uint64_t)i)); /* ISP_COMM_SELF(i) */
    free(all);
    return poe;
}

void poe_destroy(struct poe *poe)
{
    if (poe)
        poe_arena_destroy(poe->arena);
}

struct poe_saved *poe_save(const struct poe *poe) { return poe_arena_save(poe->arena); }

void poe_restore(struct poe *poe, const struct poe_saved *saved)
{
    poe_arena_restore(poe->arena, (struct poe_saved *)saved);
}

/* ---- transitions in ---- */

static bool is_rank(const struct poe *poe, int rank) { return rank >= 0 && rank < poe->config.ranks; }

static bool is_valid_message(struct poe *poe, int rank, const struct isp_call *c)
{
    const struct poe_comm *comm = poe_comm_find(poe, c->comm);
    if (!comm || poe_comm_place(comm, rank) < 0)
        return false;
    bool message = c->op == ISP_OP_RECV && c->mode == ISP_RECV_MESSAGE;
    if ((c->flags & ISP_F_HELD) && (message || (c->flags & ISP_F_FENCE)))
        return false;
    if (message) {
        const struct poe_op *probe = c->n == 1 ? poe_op_find(poe, rank, c->list[0]) : NULL;
        return probe && probe->message && !probe->t.consumed;
    }
    if (c->peer == ISP_ANY_SOURCE && c->op != ISP_OP_SEND)
        return true;
    if (c->peer == ISP_NO_RANK)
        return c->op != ISP_OP_PROBE && !(c->flags & ISP_F_FENCE); /* nothing to wait for */
    return is_rank(poe, c->peer) && poe_comm_place(comm, c->peer) >= 0;
}

/* Something that is pending and has a request, which nobody waits for. */
static bool is_request(const struct poe_op *op)
{
    return op && op->t.call.op != ISP_OP_PROBE && !op->t.consumed && !op->waited_by;
}

static bool is_valid(struct poe *poe, int rank, const struct isp_call *c)
{
    if (!isp_call_is_possible(c) || !is_rank(poe, rank) || c->thread >= POE_THREADS_MAX ||
        poe->ranks[rank].stopped)
        return false;
    const struct poe_thread *t =
        c->thread < poe->ranks[rank].n_threads ? &poe->ranks[rank].threads[c->thread] : NULL;
    if (t && (t->fence || t->held))
        return false;
    if (isp_call_has_slot(c) && (c->handle >= ISP_HANDLES_MAX || poe_op_find(poe, rank, c->handle)))
        return false;
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV:
    case ISP_OP_PROBE: return is_valid_message(poe, rank, c);
    case ISP_OP_COMPLETE: return poe_fence_complete_is_valid(poe, rank, c);
    case ISP_OP_COLLECTIVE: return poe_collective_is_valid(poe, rank, c);
    case ISP_OP_CANCEL:
    case ISP_OP_FREE: return is_request(poe_op_find(poe, rank, c->handle));
    case ISP_OP_JOIN: return poe_join_is_valid(poe, rank, c);
    case ISP_OP_READY: return poe_op_find(poe, rank, c->handle) && poe_op_find(poe, rank, c->handle)->t.held;
    case ISP_OP_LOCK:
    case ISP_OP_UNLOCK: return poe_lock_is_valid(poe, rank, c);
    default: return true; /* FINALIZE, DETACH, ADMIT */
    }
}

static void add_send(struct poe *poe, struct poe_op *op)
{
    if (op->t.call.peer == ISP_NO_RANK) {
        op->t.completed = !op->t.held;
        return;
    }
    if (op->t.call.mode == ISP_SEND_BUFFERED)
        poe_attached_send(poe, op);
    bool buffered = poe_op_is_buffered(poe, op);
    op->t.completed = buffered && !op->t.held;
    poe->standard_sends |= !buffered && op->t.call.mode != ISP_SEND_SYNC;
    if (buffered && (op->t.call.flags & ISP_F_FENCE)) /* before it matches */
        poe_ready_fence(poe, op);
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, op->t.call.peer);
    poe_channel_append(poe_inbox_channel(poe, inbox, op->t.rank), op);
    if (op->t.held)
        return;
    poe_race_message(poe, op);
    poe_shown_message(poe, op);
    poe_match_send(poe, op);
}

static void add_receive(struct poe *poe, struct poe_op *op)
{
    if (op->t.call.mode == ISP_RECV_MESSAGE) {
        struct poe_op *probe = poe_op_find(poe, op->t.rank, op->list[0]);
        poe_ready_push(poe, (struct poe_ready){.kind = POE_READY_PAIR, .a = probe->message, .b = op});
        probe->t.consumed = true;
        poe_op_bury(poe, probe);
        return;
    }
    if (op->t.call.peer == ISP_NO_RANK) {
        op->t.completed = !op->t.held;
        return;
    }
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    poe_inbox_append(poe, poe_comm_inbox(comm, op->t.rank), op);
    poe_match_receive(poe, op);
}

/* It may match from now on, with what its thread knows now; so may what is behind it in its queue. */
static void ready(struct poe *poe, int rank, const struct isp_call *call)
{
    struct poe_op *op = poe_op_find(poe, rank, call->handle);
    struct poe_thread *t = &poe->ranks[rank].threads[call->thread];
    poe_ready_send_tell(poe, t);
    op->t.held = false;
    poe_clock_drop(poe->arena, op->posted);
    op->posted = poe_clock_keep(t->now);
    bool local = poe_op_is_local(op), send = op->t.call.op == ISP_OP_SEND;
    if (local)
        op->done = poe_clock_keep(t->now);
    if (local || (send && poe_op_is_buffered(poe, op)))
        poe_fence_complete(poe, op);
    poe_op_bury_if_over(poe, op);
    if (local)
        return;
    if (send)
        poe_race_message(poe, op);
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    poe_match_rescan(poe, comm, poe_comm_inbox(comm, send ? op->t.call.peer : rank));
}

/* Records that are no operations: they act on one that is there, at once. */
static bool act(struct poe *poe, int rank, const struct isp_call *call)
{
    struct poe_op *x;
    switch (call->op) {
    case ISP_OP_FREE:
        x = poe_op_find(poe, rank, call->handle);
        x->t.consumed = true;
        poe_op_bury_if_over(poe, x);
        return true;
    case ISP_OP_READY: ready(poe, rank, call); return true;
    case ISP_OP_UNLOCK:
        poe_visit_unlock(poe, rank, call);
        poe_lock_release(poe, rank, call);
        return !(call->flags & ISP_F_FENCE);
    case ISP_OP_ADMIT:
        poe_admission_hold(poe, rank, call->thread);
        if (!call->others)
            poe_quiet(poe, rank);
        return true;
    default: return false;
    }
}

static void add_fence(struct poe *poe, struct poe_op *op)
{
    if (op->t.call.flags & ISP_F_POLL)
        poe_poll_add(poe, op);
    switch (op->t.call.op) {
    case ISP_OP_PROBE: poe_match_probe(poe, op); return;
    case ISP_OP_COMPLETE:
        poe_fence_complete_init(poe, op);
        poe_partition_asked(op);
        if (op->t.call.flags & ISP_F_POLL)
            poe_admission_polls(poe, op);
        if (op->t.call.n == 0 || (op->missing == 0 && poe_fence_is_deterministic(op)))
            poe_ready_fence(poe, op);
        return;
    case ISP_OP_CANCEL: poe_cancel_call(poe, op, poe_op_find(poe, op->t.rank, op->t.call.handle)); return;
    case ISP_OP_DETACH: poe_fence_detach(poe, op); return;
    case ISP_OP_UNLOCK: poe_ready_fence(poe, op); return;
    case ISP_OP_LOCK: poe_visit_wanted(poe, op); return;
    default: return;
    }
}

bool poe_can_add(struct poe *poe, int rank, const struct isp_call *call) { return is_valid(poe, rank, call); }

/* With config.exact the clock of a thread counts its calls (mixed_play.h). */
static void count_call(struct poe *poe, struct poe_thread *thread)
{
    if (!poe->config.exact)
        return;
    if (thread->calls_component == POE_NO_COMPONENT)
        thread->calls_component = poe->components++;
    thread->now = poe_clock_know(poe->arena, thread->now, thread->calls_component, ++thread->calls);
}

bool poe_check(struct poe *poe, int rank, const struct isp_call *call)
{
    poe_op_reap(poe);
    return is_valid(poe, rank, call);
}

int poe_add(struct poe *poe, int rank, const struct isp_call *call)
{
    if (!poe_check(poe, rank, call))
        return -1;
    poe_put(poe, rank, call);
    return 0;
}

void poe_put(struct poe *poe, int rank, const struct isp_call *call)
{
    struct poe_rank *r = &poe->ranks[rank];
    if (call->thread >= r->n_threads)
        threads_grow(poe, r, call->thread + 1u);
    if (!(call->flags & ISP_F_POLL)) {
        poe->progress += !r->threads[call->thread].spins;
        r->threads[call->thread].other_calls += call->op != ISP_OP_ADMIT;
    }
    poe_fired_clear(poe);
    poe_visit_record(poe, rank, call);
    poe_barrier_note(poe, call);
    poe_admission_woken(poe, rank, call);
    poe_record_call(poe, rank, call, poe_next_index(poe, rank, call->thread));
    count_call(poe, &r->threads[call->thread]);
    poe_shown_call(poe, rank, call);
    if (act(poe, rank, call)) {
        /* of several threads the last one records it: which that is, time decides */
        if (call->op != ISP_OP_READY && call->op != ISP_OP_ADMIT)
            r->threads[call->thread].next_index++;
        return;
    }
    uint32_t number =
        call->op == ISP_OP_RECV && call->thread == 0 ? poe_ready_send_post(poe, &r->threads[0]) : 0;
    if (call->op == ISP_OP_SEND || call->op == ISP_OP_COLLECTIVE)
        poe_ready_send_tell(poe, &r->threads[call->thread]);
    struct poe_op *op = poe_op_create(poe, rank, call);
    op->number = number;
    if (call->flags & ISP_F_FENCE)
        r->threads[call->thread].fence = op;
    if (call->flags & ISP_F_FENCE)
        poe_visit_waits(poe, op);
    if ((call->flags & ISP_F_FENCE) && !call->others)
        poe_quiet(poe, rank);
    if (poe_admission_concerns(call))
        poe_admission_await(poe, op);
    else
        take_place(poe, op);
}

static void enter(struct poe *poe, struct poe_op *op)
{
    switch (op->t.call.op) {
    case ISP_OP_SEND: add_send(poe, op); break;
    case ISP_OP_RECV: add_receive(poe, op); break;
    case ISP_OP_JOIN: poe_join_add(poe, op); break;
    case ISP_OP_COLLECTIVE:
        /* else no rank of a program: it stays alone */
        if (!op->admitted || poe_collective_is_valid(poe, op->t.rank, &op->t.call))
            poe_collective_join(poe, op);
        break;
    default: add_fence(poe, op);
    }
}

/* The operation takes its place in the queues. */
static void take_place(struct poe *poe, struct poe_op *op)
{
    bool takes = op->t.call.op == ISP_OP_RECV || op->t.call.op == ISP_OP_PROBE;
    if (takes && op->t.call.tag == ISP_ANY_TAG && op->t.call.peer != ISP_NO_RANK &&
        op->t.call.mode == ISP_RECV_NORMAL)
        poe_admission_see_tag(poe, op);
    if (takes)
        poe_cancel_wanted(poe, op);
    enter(poe, op);
    /* by what its thread has recorded since */
    if (op->admitted && op->t.completed && (op->waited_by || op->join)) {
        op->t.completed = false;
        poe_fence_complete(poe, op);
    }
}

void poe_guessed(struct poe *poe, int rank, bool guessed) { poe->ranks[rank].guessed = guessed; }

bool poe_looks_waited(const struct poe *poe) { return poe->looks_waited; }

bool poe_has_threads(const struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        if (poe->ranks[i].n_threads > 1)
            return true;
    return false;
}

bool poe_is_blind(const struct poe *poe) { return poe->blind; }

bool poe_unordered(const struct poe *poe, struct poe_unordered *pair)
{
    *pair = poe->unordered;
    return pair->rank_plus_one > 0;
}

void poe_stop(struct poe *poe, int rank)
{
    poe_quiet(poe, rank);
    poe->ranks[rank].stopped = true;
}

/* ---- moves out ---- */

/* The MPI_Finalize that the rank waits in; NULL if it does not, or if other threads of it wait too. */
static struct poe_op *finalize_of(const struct poe_rank *r)
{
    struct poe_op *last = NULL;
    for (uint32_t i = 0; i < r->n_threads; i++) {
        struct poe_op *fence = r->threads[i].fence;
        if (fence && (last || fence->t.call.op != ISP_OP_FINALIZE))
            return NULL;
        last = fence ? fence : last;
    }
    return last;
}

/* All ranks wait in MPI_Finalize and nothing is left to decide: it fires like a collective. */
static bool finalize(struct poe *poe)
{
    for (int i = 0; i < poe->config.ranks; i++)
        if (poe->ranks[i].stopped || !finalize_of(&poe->ranks[i]))
            return false;
    poe_fired_clear(poe);
    for (int i = 0; i < poe->config.ranks; i++) {
        struct poe_op *op = finalize_of(&poe->ranks[i]);
        op->t.matched = true;
        poe_fired_member(poe, op);
        poe_fence_release(poe, op, &(struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM});
    }
    poe->finished = true;
    return true;
}

static enum poe_state choice(struct poe *poe)
{
    poe->pending_choice = true;
    return POE_CHOICE;
}

enum poe_state poe_step(struct poe *poe)
{
    if (poe->pending_choice)
        return POE_CHOICE;
    poe_op_reap(poe);
    while (poe->n_ready)
        if (!poe_match_clashes(poe))
            return poe_match_fire(poe);
    if (poe->finished)
        return POE_FINISHED;
    if (poe->redundant)
        return POE_REDUNDANT;
    if (poe->running)
        return poe->granting && poe_visit_choice(poe, true) ? choice(poe) : POE_RUNNING;
    if (poe->admissions > poe->admissions_asleep && poe_admission_find(poe))
        return choice(poe);
    if (poe->n_clashes)
        return poe_collective_clash(poe);
    if (poe_visit_comes_first(poe) && poe_visit_choice(poe, false))
        return choice(poe);
    if (poe_choice_find(poe) || poe_visit_choice(poe, false))
        return choice(poe);
    bool put_off = poe_choice_is_put_off(poe);
    if (!put_off && finalize(poe))
        return POE_FIRED;
    enum poe_state state = poe_poll_force(poe, put_off);
    if (state == POE_FIRED || !put_off)
        return state;
    /* Clocks may miss that something happens after a decision; then a race was no race here, but
     * may be one with buffering. */
    poe->buffering_matters |= poe->standard_sends;
    return POE_REDUNDANT;
}

const struct poe_fired *poe_fired(const struct poe *poe) { return &poe->fired; }

const struct poe_choice *poe_choice(const struct poe *poe) { return &poe->choice; }

bool poe_is_redundant(const struct poe *poe) { return poe->redundant; }

bool poe_next_race_of(struct poe *poe, struct poe_race *race)
{
    if (!poe->n_races)
        return false;
    *race = poe->races[--poe->n_races];
    return true;
}

bool poe_next_race(struct poe *poe, unsigned *number)
{
    struct poe_race race;
    if (!poe_next_race_of(poe, &race))
        return false;
    *number = race.number;
    return true;
}

bool poe_buffering_matters(const struct poe *poe)
{
    return poe->standard_sends && (poe->buffering_matters || poe_race_is_open(poe));
}

void poe_each_live_of(struct poe *poe, int rank, void (*see)(const struct poe_transition *, void *),
                      void *context)
{
    for (const struct poe_op *op = poe->ranks[rank].live_first; op; op = op->live_next)
        see(&op->t, context);
}

void poe_each_live(struct poe *poe, void (*see)(const struct poe_transition *, void *), void *context)
{
    for (int i = 0; i < poe->config.ranks; i++)
        poe_each_live_of(poe, i, see, context);
}

unsigned poe_comm_members(const struct poe *poe, int comm, const int **ranks)
{
    const struct poe_comm *c = poe_comm_find(poe, comm);
    if (c)
        *ranks = c->members;
    return c ? (unsigned)c->n : 0;
}

unsigned poe_comm_first_side(const struct poe *poe, int comm)
{
    const struct poe_comm *c = poe_comm_find(poe, comm);
    return c ? (unsigned)c->n_first : 0;
}

unsigned poe_threads(const struct poe *poe, int rank) { return poe->ranks[rank].n_threads; }

uint16_t poe_comm_maker(const struct poe *poe, int comm, uint32_t *site)
{
    const struct poe_comm *c = poe_comm_find(poe, comm);
    if (c)
        *site = c->made;
    return c ? c->maker : 0;
}

uint64_t poe_comm_key(const struct poe *poe, int comm)
{
    const struct poe_comm *c = poe_comm_find(poe, comm);
    return c ? c->key : 0;
}

uint64_t poe_next_index(const struct poe *poe, int rank, unsigned thread)
{
    const struct poe_rank *r = &poe->ranks[rank];
    return (uint64_t)thread << POE_THREAD_SHIFT | (thread < r->n_threads ? r->threads[thread].next_index : 0);
}

const struct poe_transition *poe_operation(struct poe *poe, int rank, uint32_t handle)
{
    const struct poe_op *op = poe_op_find(poe, rank, handle);
    return op ? &op->t : NULL;
}
