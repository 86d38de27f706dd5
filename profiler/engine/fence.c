/* SPDX-License-Identifier: BSD-3-Clause */
/* Fences and batches: see fence.h. */
#include "fence.h"

#include <stdlib.h>

#include "ahead.h"
#include "base/alloc.h"
#include "errors.h"
#include "hold.h"
#include "hooks.h"
#include "kept/early.h"
#include "kept/kept.h"
#include "link/transport.h"
#include "link/uplink.h"
#include "memory/pending.h"
#include "operations.h"
#include "prof.h"
#include "threads/mutexes.h"
#include "threads/quiet.h"
#include "threads/thread.h"
#include "threads/waiters.h"
#include "watch/visits.h"
#include "watch/watching.h"

static _Atomic uint64_t records; /* so far */

/* The thread has recorded what may compete with other threads' calls, and has not waited since. */
static __thread bool to_admit __attribute__((tls_model("initial-exec")));

static void note_competing(const struct isp_call *call)
{
    bool queues = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_COLLECTIVE;
    to_admit |= queues && !(call->flags & (ISP_F_SIGNAL | ISP_F_INTERNAL)) && call->others;
}

void prof_record(struct isp_call *call)
{
    prof_hold(call);
    prof_engine_hooks.record(call);
    if (call->fn == ISP_FN_NONE)
        call->fn = (uint16_t)prof_current.fn;
    call->thread = prof_threads_own_order ? prof_thread_self()->number : 0;
    call->others = prof_threads_own_order && prof_threads_others();
    call->guards = prof_current.guards;
    call->perhaps = prof_current.perhaps;
    if (call->guards)
        call->flags |= ISP_F_GUARDED;
    if (call->perhaps)
        call->flags |= ISP_F_PERHAPS;
    if (call->others && !prof_mutexes_held)
        call->flags |= ISP_F_BLIND;
    bool takes_place = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_PROBE ||
                       call->op == ISP_OP_COLLECTIVE;
    call->took = call->others && takes_place && prof_mutexes_had ? prof_mutexes_had() : 0;
    if (call->took)
        call->flags |= ISP_F_TOOK;
    if (prof_ahead_is_on())
        prof_ahead_record(call);
    prof_link_call(call, prof_current.site);
    records++; /* and not before: note_quiet counts on it */
    if (prof_threads_own_order)
        note_competing(call);
}

uint64_t prof_records(void) { return records; }

static struct prof_op **batch;
static uint32_t batch_room;

/* number: of the communicator that it makes */
static void issue_collective(struct prof_op *op, int32_t number)
{
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    op->kept->made = number;
    const void *arguments = prof_early_arguments(op);
    if (arguments)
        op->error = prof_errors_heard(op->kept->form->issue(arguments, &op->real));
    prof_errors_unsilence(op->comm, handler);
}

static void issue(struct prof_op *op, const struct isp_action *action)
{
    struct prof_comm *c = op->comm;
    prof_pending_issue(op);
    if (op->kind == PROF_OP_COLLECTIVE) {
        issue_collective(op, action->peer);
        return;
    }
    int tag = op->flags & ISP_F_PARTITIONED ? isp_partitioned_program_tag(action->tag) : action->tag;
    if (prof_engine_hooks.issue[op->kind]) {
        op->error = prof_errors_heard(prof_engine_hooks.issue[op->kind](op));
        return;
    }
    if (op->flags & ISP_F_PARTITIONED && op->kind == PROF_OP_RECV)
        prof_engine_hooks.partitions_issue(op);
    int peer = action->peer >= 0 && action->peer < prof_world_size ? prof_comm_local(c, action->peer) : -1;
    if (peer < 0 || (op->kind != PROF_OP_SEND && op->kind != PROF_OP_RECV))
        prof_link_broken();
    /* A plain send for every mode: its receive is issued in the same move. */
    int rc = op->kind == PROF_OP_SEND
                 ? PMPI_Isend_c(op->buf, op->count, op->datatype, peer, tag, c->handle, &op->real)
                 : PMPI_Irecv_c(op->buf, op->count, op->datatype, peer, tag, c->handle, &op->real);
    op->error = prof_errors_heard(rc);
}

/* Completes one issued operation. MPICH writes what it likes into the status of a collective. */
static void complete(struct prof_op *op)
{
    if (op->error != MPI_SUCCESS)
        return;
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    MPI_Status *status = op->kind == PROF_OP_COLLECTIVE ? MPI_STATUS_IGNORE : &op->status;
    op->error = prof_errors_heard(prof_transport_wait(&op->real, status));
    prof_errors_unsilence(op->comm, handler);
    if (op->flags & ISP_F_PARTITIONED && op->kind == PROF_OP_RECV && op->error == MPI_SUCCESS)
        prof_engine_hooks.partitions_arrived(op);
    if (op->kind == PROF_OP_COLLECTIVE && op->kept->finish && op->error == MPI_SUCCESS)
        op->kept->finish(op->kept);
}

static void run_batch(struct isp_reader *r)
{
    uint32_t n = isp_get_u32(r), issued = 0;
    if (n == 0)
        return;
    if (n > (size_t)(r->end - r->at) / 13)
        prof_link_broken();
    if (n > batch_room) {
        batch_room = 2 * n;
        batch = prof_grow(batch, batch_room, sizeof *batch);
    }
    prof_errors_quiet(true);
    prof_watch_rest();
    for (uint32_t i = 0; i < n; i++) {
        struct isp_action action;
        isp_get_action(r, &action);
        struct prof_op *op = prof_op_at(action.handle);
        if (!r->ok || !op || op->done || op->issued)
            prof_link_broken();
        if (action.kind == ISP_ACTION_CANCEL) {
            PMPI_Status_set_cancelled(&op->status, 1);
            prof_op_done(op);
        } else if (op->kind == PROF_OP_SIGNAL) {
            prof_op_done(op);
        } else if (action.kind != ISP_ACTION_ISSUE) {
            prof_early_part(op, &action);
            if (action.kind == ISP_ACTION_PART_RECV)
                prof_pending_done(op);
        } else {
            issue(op, &action);
            op->issued = true;
            batch[issued++] = op;
        }
    }
    prof_early_complete();
    for (uint32_t i = 0; i < issued; i++)
        complete(batch[i]);
    prof_errors_quiet(false);
    for (uint32_t i = 0; i < issued; i++)
        prof_op_done(batch[i]);
}

/* ---- releases ---- */

static uint64_t releases; /* got so far */
static struct {
    uint64_t releases, records;
    bool certain;
} quiet_at; /* when the scheduler was told that the rank is quiet */

static void read_result(struct isp_reader *r, struct prof_thread *t)
{
    /* The list is bounded by what is left of the frame. */
    size_t most = (size_t)(r->end - r->at) / 4;
    if (most > t->positions_room) {
        t->positions_room = (uint32_t)(2 * most);
        free(t->positions);
        t->positions = prof_alloc(t->positions_room, sizeof *t->positions);
    }
    isp_get_result(r, &t->result, t->positions, t->positions_room);
    if (!r->ok)
        prof_link_broken();
}

/* Takes one frame. A rank with one program order waits in one fence; `alone` is its thread then. */
static unsigned take_go(struct prof_thread *alone)
{
    struct isp_reader r;
    uint8_t marks;
    uint32_t drop;
    do {
        uint8_t type = prof_link_receive(&r);
        if (type == ISP_MSG_HOLD || type == ISP_MSG_VISITS) {
            type == ISP_MSG_HOLD ? prof_hold_take(&r) : prof_visits_take(&r);
            return 0;
        }
        if (type != ISP_MSG_GO)
            prof_link_broken();
        marks = isp_get_u8(&r);
        drop = isp_get_u32(&r);
    } while (!prof_engine_hooks.go(marks, drop));
    run_batch(&r);
    unsigned n = isp_get_u16(&r);
    for (unsigned i = 0; i < n && r.ok; i++) {
        struct prof_thread *t = alone;
        uint16_t number = isp_get_u16(&r);
        if (alone ? number != 0 || n > 1 : !prof_threads_release(number, &t))
            prof_link_broken();
        releases++;
        read_result(&r, t);
    }
    if (!r.ok)
        prof_link_broken();
    if (marks & ISP_GO_ANSWER)
        prof_link_acted();
    return n;
}

void prof_fence_act(void)
{
    if (take_go(prof_thread_self()) > 0)
        prof_link_broken();
}

static void wait_alone(const struct isp_call *call, struct isp_result *result)
{
    struct prof_thread *me = prof_thread_self();
    prof_link_flush();
    do
        if (prof_ahead_is_on())
            prof_ahead_await_answer(call);
    while (take_go(me) == 0);
    *result = me->result;
}

/* ---- with threads ---- */

#define SOON_NS 20000
#define LATEST_NS 10000000
#define SELDOM_NS 100000000

/* The scheduler knows, or is about to be told, that the rank is quiet. */
static void note_quiet(bool certain)
{
    quiet_at.releases = releases;
    quiet_at.records = records;
    quiet_at.certain = certain;
}

static bool is_told(void) { return quiet_at.releases == releases && quiet_at.records == records; }

static bool is_quiet_known(void) { return quiet_at.certain && is_told(); }

static void tell_quiet(bool certain)
{
    enum isp_fn fn = ISP_FN_NONE;
    const void *site = NULL;
    note_quiet(certain);
    if (certain && prof_waiters_chosen)
        prof_waiters_chosen(&fn, &site);
    prof_link_quiet(releases, certain, fn, site);
}

/* Waits for a frame; meanwhile finds out whether the rank is quiet, and says so. Called without the lock: a
 * thread may reach a fence at any time, but none is released. */
static void await_frame(void)
{
    int64_t pause = SOON_NS;
    /* If not known, a thread has ended meanwhile, and what it recorded last has not been sent. */
    if (is_quiet_known() && !prof_threads_several())
        prof_link_wait(-1);
    while (!prof_link_wait(pause)) {
        if (is_quiet_known()) {
            pause = SELDOM_NS; /* said already; but who knows what wakes a thread */
            continue;
        }
        enum prof_quiet quiet = prof_quiet_look(releases, records);
        switch (quiet) {
        case PROF_QUIET_YES:
        case PROF_QUIET_SEEMS:
            if (quiet == PROF_QUIET_YES || !is_told()) {
                tell_quiet(quiet == PROF_QUIET_YES);
                prof_link_flush();
            }
            pause = LATEST_NS;
            break;
        case PROF_QUIET_MAYBE: pause = SOON_NS; break;
        case PROF_QUIET_NO: pause = 2 * pause < LATEST_NS ? 2 * pause : LATEST_NS; break;
        }
    }
}

static void read_frame(void)
{
    prof_threads_unlock();
    await_frame();
    prof_threads_lock();
    take_go(NULL);
}

static void count_running(struct prof_thread *t, void *n)
{
    *(unsigned *)n += t != prof_thread_self() && t->where != PROF_WAITING && t->where != PROF_LEAVING;
}

static void wait_together(bool others, struct isp_result *result)
{
    unsigned running = 0;
    prof_threads_each(count_running, &running);
    if (!others)
        note_quiet(true);
    else if (running == 0)
        tell_quiet(true);
    prof_link_flush();
    prof_threads_wait(read_frame);
    *result = prof_thread_self()->result;
}

void prof_fence_admit(void)
{
    struct isp_call call = {.op = ISP_OP_ADMIT};
    struct isp_result result;
    if (to_admit)
        prof_fence(&call, &result);
}

static __thread struct prof_hash answers __attribute__((tls_model("initial-exec")));

struct prof_hash prof_fence_answers(void) { return answers; }

void prof_fence_forget_answers(void) { answers = (struct prof_hash){0}; }

static void note_answer(const struct isp_result *r)
{
    prof_hash_word(&answers, (uint64_t)(uint32_t)r->flag << 32 | (uint32_t)r->new_comm);
    prof_hash_word(&answers, (uint64_t)(uint32_t)r->source << 32 | (uint32_t)r->tag);
    prof_hash_word(&answers, r->bytes);
    prof_hash_bytes(&answers, r->list, r->n * sizeof *r->list);
}

void prof_fence(struct isp_call *call, struct isp_result *result)
{
    call->flags |= ISP_F_FENCE;
    call->strays = !prof_threads_own_order && prof_threads_several();
    if (prof_ahead_is_on())
        prof_ahead_poll(call);
    prof_record(call);
    to_admit = false; /* the thread waits here */
    if (prof_ahead_is_on() && !(call->flags & ISP_F_ASKS)) {
        prof_ahead_meet(call, result);
        return;
    }
    if (prof_threads_own_order && !prof_ahead_is_on())
        wait_together(call->others, result);
    else
        wait_alone(call, result);
    if (prof_ahead_is_on())
        prof_ahead_obey(call, result);
    if (prof_definitions.kept)
        note_answer(result);
}
