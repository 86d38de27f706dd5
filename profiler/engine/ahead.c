/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that go ahead: see ahead.h. All waiting is done here, by testing: so what has been recorded is on its
 * way before the rank sleeps, and wildcards that complete meanwhile are told. */
#include "ahead.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/errors_quiet.h"
#include "errors.h"
#include "forced.h"
#include "hooks.h"
#include "isp/outcome.h"
#include "kept/kept.h"
#include "link/progress.h"
#include "link/uplink.h"
#include "memory/pending.h"
#include "prof.h"
#include "probed.h"
#include "threads/thread.h"

enum {
    OFFER_IDLE = 12,  /* rounds without success, then isp can see what was recorded */
    SLEEP_IDLE = 100, /* then the rank sleeps in between, isp is woken, and wildcards are looked at */
    CHECK_IDLE = 64,  /* each so many, whether the run is over */
    MOST_LEAVING = 64,
};
/* It sleeps for such a part of the time that it has waited, and not longer than this. In a row of ranks that
 * wait for one another each adds its own part to the wait of the next, so the part is small where the cores
 * can bear to be asked so often. */
enum { MOST_PART = 64, LEAST_PART = 4, RANKS_OF_MOST = 64 };
#define MOST_SLEEP_NS 20000000
#define STUCK_NS 200000000
#define LEAST_PATIENCE_NS 100000 /* a `not yet` costs more: memory is looked at (polled.h) */
#define MOST_PATIENCE_NS 100000000

static uint64_t made;    /* transitions so far */
static uint64_t present; /* index of the last one */
static int32_t made_comms;

/* So long a poll waits for MPI to say yes, before isp is asked: longer where that comes, or isp waits for it
 * as well, and shorter where the program is to be told `not yet`, and may have something else to do. */
static int64_t patience_ns = 20000000;
static struct isp_result seen; /* what MPI has said to the poll that is about to be told ... */
static bool has_seen;          /* ... if it has said yes */

static struct prof_op **wild; /* receives from any source, or of any tag, that are not complete */
static uint32_t n_wild, room_wild;
static struct prof_op **leaving; /* complete for the program, and not yet in MPI */
static uint32_t n_leaving, room_leaving, most_leaving = MOST_LEAVING;

bool prof_ahead_is_on(void) { return prof_settings()->ahead; }

void prof_ahead_begin(void)
{
    if (!prof_ahead_is_on())
        return;
    prof_forced_begin();
    prof_progress_needed(+1);
}

void prof_ahead_refuse(const char *what)
{
    if (!prof_ahead_is_on())
        return;
    isp_put_str(prof_link_begin(ISP_MSG_NOT_AHEAD), what);
    prof_link_end();
    prof_link_flush();
    prof_link_await_end();
}

void prof_ahead_meeting(int32_t number, const struct prof_comm *parent)
{
    if (prof_ahead_is_on() && !parent->inter) /* of an intercommunicator MPI makes none */
        prof_comm_add_meeting(number, parent);
}

void prof_ahead_no_meeting(int32_t number)
{
    if (prof_ahead_is_on())
        prof_comm_drop_meeting(number);
}

static bool can_be_done(const struct isp_call *c)
{
    switch (c->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV: return !(c->flags & (ISP_F_HELD | ISP_F_PARTITIONED));
    case ISP_OP_COLLECTIVE: return c->mode != ISP_MAKE_NOTHING || c->key == 0;
    case ISP_OP_CANCEL:
    case ISP_OP_READY:
    case ISP_OP_ADMIT: return false;
    default: return true;
    }
}

/* A fence that the rank does not leave before isp has decided. */
static bool is_for_isp(const struct isp_call *c)
{
    bool decides = c->op == ISP_OP_FINALIZE || c->op == ISP_OP_DETACH || c->op == ISP_OP_LOCK;
    return decides || (c->flags & ISP_F_POLL && !has_seen);
}

void prof_ahead_record(struct isp_call *call)
{
    if (!can_be_done(call))
        prof_ahead_refuse(isp_fn_name(prof_current.fn));
    if (prof_threads_own_order && (prof_threads_several() || call->thread != 0))
        prof_ahead_refuse("several threads may call MPI");
    if (call->flags & ISP_F_FENCE && is_for_isp(call))
        call->flags |= ISP_F_ASKS;
    present = made++;
}

/* ---- what is told ---- */

static void tell(const struct isp_outcome *outcome)
{
    isp_put_outcome(prof_link_begin(ISP_MSG_OUTCOME), outcome);
    prof_link_end();
}

static void tell_message(uint64_t index, const struct prof_comm *c, const MPI_Status *status)
{
    tell(&(struct isp_outcome){
        .index = index, .source = prof_comm_world(c, status->MPI_SOURCE), .tag = status->MPI_TAG});
}

static void tell_positions(uint64_t index, const uint32_t *list, uint32_t n)
{
    tell(&(struct isp_outcome){.index = index, .source = -1, .tag = -1, .n = n, .list = list});
}

/* ---- operations inside MPI ---- */

static void push(struct prof_op ***list, uint32_t *n, uint32_t *room, struct prof_op *op)
{
    if (*n == *room) {
        *room = *room ? 2 * *room : 16;
        *list = prof_grow(*list, *room, sizeof **list);
    }
    (*list)[(*n)++] = op;
}

static void no_more_wild(struct prof_op *op)
{
    uint32_t i = 0;
    while (i < n_wild && wild[i] != op)
        i++;
    if (i < n_wild)
        wild[i] = wild[--n_wild];
}

/* MPI is done with it. The slot may be free afterwards. */
static void finish(struct prof_op *op)
{
    if (op->wild) {
        if (op->wild == PROF_WILD_OPEN)
            tell_message(op->index, op->comm, &op->status);
        no_more_wild(op);
        op->wild = PROF_NOT_WILD;
    }
    if (op->kind == PROF_OP_COLLECTIVE && op->kept->finish && op->error == MPI_SUCCESS)
        op->kept->finish(op->kept);
    prof_op_done(op);
}

static bool has_come(MPI_Request *request, MPI_Status *status, int *error)
{
    int flag = 0;
    *error =
        *request == MPI_REQUEST_NULL ? MPI_SUCCESS : prof_errors_heard(PMPI_Test(request, &flag, status));
    return flag || *error != MPI_SUCCESS || *request == MPI_REQUEST_NULL;
}

/* Whether it is complete inside MPI. The slot may be free then. */
static bool is_done(struct prof_op *op)
{
    int error = MPI_SUCCESS;
    if (op->done)
        return true;
    prof_errors_quiet(true);
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    bool done =
        has_come(&op->meets, MPI_STATUS_IGNORE, &error) &&
        (op->real == MPI_REQUEST_NULL ||
         has_come(&op->real, op->kind == PROF_OP_COLLECTIVE ? MPI_STATUS_IGNORE : &op->status, &op->error));
    prof_errors_unsilence(op->comm, handler);
    prof_errors_quiet(false);
    if (done)
        finish(op);
    return done;
}

/* Whether the program may be told that it is complete. */
static bool is_complete(struct prof_op *op)
{
    if (op->kind == PROF_OP_JOIN) {
        bool send = op->done || is_complete(op->parts[0]), receive = op->done || is_complete(op->parts[1]);
        return send && receive;
    }
    return op->kind == PROF_OP_MESSAGE || op->leaves || is_done(op);
}

/* Those whose messages are gone are forgotten. */
static void sweep(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n_leaving; i++)
        if (!is_done(leaving[i]))
            leaving[kept++] = leaving[i];
    n_leaving = kept;
    most_leaving = 2 * kept > MOST_LEAVING ? 2 * kept : MOST_LEAVING;
}

/* Wildcards that MPI has completed, while the program has not asked for them. */
static void look(bool wakes)
{
    for (uint32_t i = 0; i < n_wild; i++) {
        int flag = 0;
        MPI_Status status;
        struct prof_op *op = wild[i];
        if (op->wild != PROF_WILD_OPEN)
            continue;
        prof_errors_quiet(true);
        PMPI_Request_get_status(op->real, &flag, &status);
        prof_errors_quiet(false);
        if (!flag)
            continue;
        tell_message(op->index, op->comm, &status);
        op->wild = PROF_WILD_TOLD;
    }
    sweep();
    prof_link_offer(wakes);
}

void prof_ahead_look(void)
{
    if (prof_ahead_is_on())
        look(true);
}

static void leave(struct prof_op *op)
{
    if (n_leaving >= most_leaving)
        sweep();
    push(&leaving, &n_leaving, &room_leaving, op);
}

void prof_ahead_let_go(struct prof_op *op)
{
    if (!prof_ahead_is_on())
        return;
    for (int i = 0; i < 2; i++)
        if (op->parts[i] && !op->parts[i]->done && !op->parts[i]->leaves)
            leave(op->parts[i]);
    if (op->kind != PROF_OP_JOIN && !op->done && !op->leaves)
        leave(op);
}

/* ---- waiting ---- */

struct rest {
    bool begun;
    unsigned idle;        /* rounds in a row without any progress */
    unsigned long events; /* of progress, at the last one */
    int64_t since_ns;
    bool told;
};

static void tell_stuck(bool yes)
{
    isp_put_u8(prof_link_begin(ISP_MSG_STUCK), yes);
    prof_link_end();
    prof_link_offer(true);
}

static void rested(const struct rest *r)
{
    if (r->begun)
        prof_progress_rests(false);
    if (r->told)
        tell_stuck(false);
}

static int64_t sleep_after(int64_t waited_ns)
{
    int part =
        MOST_PART * RANKS_OF_MOST / (prof_world_size > RANKS_OF_MOST ? prof_world_size : RANKS_OF_MOST);
    int64_t sleep_ns = waited_ns / (part > LEAST_PART ? part : LEAST_PART);
    return sleep_ns < MOST_SLEEP_NS ? sleep_ns : MOST_SLEEP_NS;
}

static void rest(struct rest *r)
{
    if (!r->begun)
        prof_progress_rests(true);
    r->begun = true;
    if (r->events != prof_progress_made()) { /* something has come, if not all of it */
        r->events = prof_progress_made();
        r->idle = 0;
    }
    if (++r->idle < OFFER_IDLE)
        return;
    if (r->idle == OFFER_IDLE) {
        r->since_ns = prof_now_ns();
        prof_link_offer(false);
    }
    if (r->idle < SLEEP_IDLE) {
        sched_yield();
        return;
    }
    int64_t waited_ns = prof_now_ns() - r->since_ns, sleep_ns = sleep_after(waited_ns);
    look(true);
    if (r->idle % CHECK_IDLE == 0 || sleep_ns >= MOST_SLEEP_NS)
        prof_link_check_end();
    if (!r->told && waited_ns > STUCK_NS) {
        r->told = true;
        tell_stuck(true);
    }
    nanosleep(&(struct timespec){.tv_nsec = sleep_ns}, NULL);
}

static void await(struct prof_op *op)
{
    struct rest r = {0};
    while (!is_complete(op))
        rest(&r);
    rested(&r);
}

void prof_ahead_await_answer(void)
{
    struct rest r = {0};
    int flag;
    while (!prof_link_has_input()) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        rest(&r);
    }
    rested(&r);
}

/* All members come here first: then what MPI does blocks nobody. */
static void meet_members(const struct isp_call *call)
{
    struct prof_comm *c = prof_comm_of_number(call->comm);
    if (!c || call->flags & (ISP_F_SUBSET | ISP_F_INTERNAL) || call->mode == ISP_MAKE_INTER) {
        prof_link_flush();
        return;
    }
    MPI_Request all = MPI_REQUEST_NULL;
    int error;
    struct rest r = {0};
    prof_errors_quiet(true);
    PMPI_Ibarrier(c->handle, &all);
    while (!has_come(&all, MPI_STATUS_IGNORE, &error))
        rest(&r);
    rested(&r);
    prof_errors_quiet(false);
}

/* ---- into MPI ---- */

static void issue_send(struct prof_op *op, const struct isp_call *call, int peer)
{
    const struct prof_comm *c = op->comm;
    bool waits = call->mode == ISP_SEND_SYNC; /* for its receive */
    op->leaves = call->mode == ISP_SEND_BUFFERED || (prof_settings()->buffered && !waits);
    waits |= !op->leaves && !prof_settings()->eager;
    /* a ready send is no other: its receive may come later here than it would without isp */
    op->error = waits ? PMPI_Issend_c(op->buf, op->count, op->datatype, peer, call->tag, c->handle, &op->real)
                      : PMPI_Isend_c(op->buf, op->count, op->datatype, peer, call->tag, c->handle, &op->real);
    if (op->leaves)
        leave(op);
}

/* What MPI is told of a receive or probe: as the program has called it, or what is forced. */
static void find_message(const struct isp_call *call, const struct prof_comm *c, int *peer, int *tag)
{
    const struct isp_outcome *forced = call->peer == ISP_ANY_SOURCE ? prof_forced_find(present) : NULL;
    int32_t source = forced ? forced->source : call->peer;
    *peer = source == ISP_ANY_SOURCE ? MPI_ANY_SOURCE : prof_comm_local(c, source);
    *tag = forced ? forced->tag : call->tag == ISP_ANY_TAG ? MPI_ANY_TAG : call->tag;
}

static void issue_receive(struct prof_op *op, const struct isp_call *call)
{
    const struct prof_comm *c = op->comm;
    int peer, tag;
    if (call->mode == ISP_RECV_MESSAGE) {
        struct prof_op *probe = prof_op_at(call->list[0]);
        op->error = PMPI_Imrecv_c(op->buf, op->count, op->datatype, &probe->message, &op->real);
        return;
    }
    find_message(call, c, &peer, &tag);
    prof_probed_forget((struct prof_probed){c, peer, tag});
    op->error = PMPI_Irecv_c(op->buf, op->count, op->datatype, peer, tag, c->handle, &op->real);
    if (isp_call_tells_message(call) && op->error == MPI_SUCCESS) {
        op->wild = PROF_WILD_OPEN;
        push(&wild, &n_wild, &room_wild, op);
    }
}

/* MPI_Win_post and its like (profiler/windows/epochs.c): here MPI carries them. */
static void issue_signal(struct prof_op *op, const struct isp_call *call)
{
    const struct prof_comm *c = prof_comm_of_number(call->comm);
    int peer = prof_comm_local(c, call->peer);
    op->leaves = call->op == ISP_OP_SEND;
    op->error = op->leaves ? PMPI_Isend(NULL, 0, MPI_BYTE, peer, call->tag, c->handle, &op->real)
                           : PMPI_Irecv(NULL, 0, MPI_BYTE, peer, call->tag, c->handle, &op->real);
    if (op->leaves)
        leave(op);
}

/* The number of a communicator that this call makes. isp renames them. */
static int32_t number_made(uint8_t make)
{
    return isp_makes_communicator(make) ? ISP_COMMS_AHEAD + made_comms++ : ISP_NO_COMM;
}

/* Without buffering a collective is over when all have called it, whatever its data does. */
static void issue_collective(struct prof_op *op)
{
    op->kept->made = number_made((uint8_t)op->kept->make);
    if (!prof_settings()->buffered && !prof_settings()->eager)
        op->error = PMPI_Ibarrier(op->comm->handle, &op->meets);
    if (op->error == MPI_SUCCESS)
        op->error = op->kept->form->issue(op->kept->arguments, &op->real);
}

void prof_ahead_issue(struct prof_op *op, const struct isp_call *call)
{
    if (!prof_ahead_is_on())
        return;
    op->index = present;
    if (op->done)
        return;
    bool message = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV;
    if (op->kind == PROF_OP_SIGNAL && !message) { /* MPI_Comm_free: it stands for nothing */
        prof_op_done(op);
        return;
    }
    if (op->kind == PROF_OP_WIN_FENCE) /* the program need not wait here, but MPI does (early_fence.h) */
        meet_members(call);
    prof_errors_quiet(true);
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    switch (op->kind) {
    case PROF_OP_SEND: issue_send(op, call, prof_comm_local(op->comm, call->peer)); break;
    case PROF_OP_RECV: issue_receive(op, call); break;
    case PROF_OP_COLLECTIVE: issue_collective(op); break;
    case PROF_OP_SIGNAL: issue_signal(op, call); break;
    case PROF_OP_FILE:
    case PROF_OP_WIN_FENCE: op->error = prof_engine_hooks.issue[op->kind](op); break;
    default: break;
    }
    op->error = prof_errors_heard(op->error);
    prof_errors_unsilence(op->comm, handler);
    prof_errors_quiet(false);
    if (op->error != MPI_SUCCESS)
        finish(op);
}

/* ---- fences ---- */

static void meet_operation(const struct isp_call *call)
{
    struct prof_op *op = prof_op_at(call->handle);
    prof_ahead_issue(op, call);
    if (op->kind != PROF_OP_FREE)
        await(op);
}

/* message: where it goes that a matched probe takes, or NULL */
static bool probe(const struct prof_comm *c, int peer, int tag, MPI_Message *message, MPI_Status *status)
{
    int flag = 0;
    if (message)
        PMPI_Improbe(peer, tag, c->handle, &flag, message, status);
    else
        PMPI_Iprobe(peer, tag, c->handle, &flag, status);
    return flag;
}

/* A probe has found this one. */
static void take_message(const struct isp_call *call, const struct prof_comm *c, const MPI_Status *status,
                         struct isp_result *result)
{
    struct prof_probed message = {c, status->MPI_SOURCE, status->MPI_TAG};
    MPI_Count bytes;
    PMPI_Get_count_c(status, MPI_BYTE, &bytes);
    result->source = prof_comm_world(c, status->MPI_SOURCE);
    result->tag = status->MPI_TAG;
    result->bytes = (uint64_t)bytes;
    if (call->flags & ISP_F_MATCHED)
        prof_probed_forget(message);
    else
        prof_probed_note(message);
}

static MPI_Message *matched_of(const struct isp_call *call)
{
    return call->flags & ISP_F_MATCHED ? &prof_op_at(call->handle)->message : NULL;
}

static void meet_message(const struct isp_call *call, struct isp_result *result)
{
    const struct prof_comm *c = prof_comm_of_number(call->comm);
    int peer, tag;
    uint64_t index = present;
    MPI_Status status;
    struct rest r = {0};
    find_message(call, c, &peer, &tag);
    while (!probe(c, peer, tag, matched_of(call), &status))
        rest(&r);
    rested(&r);
    take_message(call, c, &status, result);
    if (isp_call_tells_message(call))
        tell_message(index, c, &status);
}

/* ... of the record's list, or of these positions of it. */
static bool are_complete(const struct isp_call *call, const uint32_t *positions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!is_complete(prof_op_at(call->list[positions ? positions[i] : i])))
            return false; /* each question lets MPI work: one is enough */
    return true;
}

static uint32_t *found;
static uint32_t room_found;

static void make_room(uint32_t n)
{
    if (n <= room_found)
        return;
    room_found = 2 * n;
    found = prof_grow(found, room_found, sizeof *found);
}

/* One that is complete, or, if some are wanted, all that are. */
static uint32_t find_complete(const struct isp_call *call)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < call->n && (n == 0 || call->mode == ISP_COMPLETE_SOME); i++)
        if (is_complete(prof_op_at(call->list[i])))
            found[n++] = i;
    return n;
}

static void meet_requests(const struct isp_call *call, struct isp_result *result)
{
    uint64_t index = present;
    const struct isp_outcome *forced =
        call->mode != ISP_COMPLETE_ALL && call->n > 1 ? prof_forced_find(index) : NULL;
    struct rest r = {0};
    make_room(call->n);
    if (call->mode == ISP_COMPLETE_ALL) {
        while (!are_complete(call, NULL, call->n))
            rest(&r);
        rested(&r);
        return;
    }
    uint32_t n = forced ? forced->n : 0;
    if (forced) {
        while (!are_complete(call, forced->list, n))
            rest(&r);
        memcpy(found, forced->list, n * sizeof *found);
    }
    while (n == 0 && (n = find_complete(call)) == 0)
        rest(&r);
    rested(&r);
    result->n = n;
    result->list = found;
    if (call->n > 1)
        tell_positions(index, found, n);
}

/* ---- polls ---- */

enum answer { NO, YES, ASK };

static enum answer poll_message(const struct isp_call *call)
{
    const struct prof_comm *c = prof_comm_of_number(call->comm);
    int peer = call->peer == ISP_ANY_SOURCE ? MPI_ANY_SOURCE : prof_comm_local(c, call->peer);
    MPI_Status status;
    if (!probe(c, peer, call->tag == ISP_ANY_TAG ? MPI_ANY_TAG : call->tag, NULL, &status))
        return NO;
    if (prof_probed_is_known((struct prof_probed){c, status.MPI_SOURCE, status.MPI_TAG}))
        return ASK;
    if (call->flags & ISP_F_MATCHED)
        probe(c, status.MPI_SOURCE, status.MPI_TAG, matched_of(call), &status);
    take_message(call, c, &status, &seen);
    tell_message(made, c, &status);
    return YES;
}

static enum answer poll_requests(const struct isp_call *call)
{
    make_room(call->n);
    if (call->mode != ISP_COMPLETE_ALL) {
        seen.n = find_complete(call);
    } else if (are_complete(call, NULL, call->n)) {
        seen.n = call->n;
        for (uint32_t i = 0; i < call->n; i++)
            found[i] = i;
    }
    if (seen.n == 0)
        return NO;
    seen.list = found;
    tell_positions(made, found, seen.n);
    return YES;
}

static void learn_patience(bool yes)
{
    int64_t ns = yes ? 4 * patience_ns : patience_ns / 2;
    patience_ns = ns < LEAST_PATIENCE_NS ? LEAST_PATIENCE_NS : ns > MOST_PATIENCE_NS ? MOST_PATIENCE_NS : ns;
}

/* A poll may take its time, and what it asks for may come; other messages that come do not make it longer.
 * What says again that a request is complete is isp's to answer: it tells whether that is new. */
void prof_ahead_poll(const struct isp_call *call)
{
    has_seen = false;
    if (!(call->flags & ISP_F_POLL) || call->flags & ISP_F_KEEP || !can_be_done(call) ||
        prof_forced_is_asked(made))
        return;
    struct rest r = {0};
    unsigned rounds = 0;
    int64_t since_ns = 0;
    enum answer answer;
    seen = (struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM};
    while ((answer = call->op == ISP_OP_PROBE ? poll_message(call) : poll_requests(call)) == NO &&
           (rounds < SLEEP_IDLE || prof_now_ns() - since_ns < patience_ns)) {
        if (rounds++ == 0)
            since_ns = prof_now_ns();
        rest(&r);
    }
    rested(&r);
    has_seen = answer == YES;
    if (has_seen && rounds)
        learn_patience(true);
}

void prof_ahead_meet(const struct isp_call *call, struct isp_result *result)
{
    if (has_seen) {
        *result = seen;
        has_seen = false;
        return;
    }
    *result = (struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM};
    switch (call->op) {
    case ISP_OP_SEND:
    case ISP_OP_RECV: meet_operation(call); break;
    case ISP_OP_COMPLETE: meet_requests(call, result); break;
    case ISP_OP_PROBE: meet_message(call, result); break;
    case ISP_OP_COLLECTIVE:
        if (call->flags & ISP_F_SLOT) {
            meet_operation(call);
        } else {
            result->new_comm = number_made(call->mode);
            meet_members(call);
        }
        break;
    default: break;
    }
}

struct matched {
    const uint32_t *open; /* handles of operations that nothing has matched, ascending ... */
    uint32_t n_open;      /* ... those that were not seen yet */
    uint32_t *list, n, room;
};

static void see_matched(const struct prof_op *op, void *context)
{
    struct matched *m = context;
    while (m->n_open && *m->open < op->number)
        m->open++, m->n_open--;
    if ((m->n_open && *m->open == op->number) || op->done ||
        (op->kind != PROF_OP_RECV && op->kind != PROF_OP_COLLECTIVE))
        return;
    if (m->n == m->room) {
        m->room = 2 * m->room + 16;
        m->list = prof_grow(m->list, m->room, sizeof *m->list);
    }
    m->list[m->n++] = op->number;
}

/* What the program has not waited for has come about all the same: its data is there before MPI ends. */
static void await_matched(const uint32_t *open, uint32_t n_open)
{
    struct matched m = {.open = open, .n_open = n_open};
    prof_ops_each(see_matched, &m);
    for (uint32_t i = 0; i < m.n; i++) {
        struct prof_op *op = prof_op_at(m.list[i]);
        if (op && !op->done)
            await(op);
    }
    free(m.list);
}

void prof_ahead_obey(const struct isp_call *call, const struct isp_result *result)
{
    struct rest r = {0};
    if (call->flags & ISP_F_POLL)
        learn_patience(result->flag);
    if (!result->flag)
        return;
    if (call->op == ISP_OP_COMPLETE) {
        bool all = call->mode == ISP_COMPLETE_ALL;
        while (!are_complete(call, all ? NULL : result->list, all ? call->n : result->n))
            rest(&r);
        rested(&r);
    }
    if (call->op == ISP_OP_FINALIZE)
        await_matched(result->list, result->n);
    if (call->op == ISP_OP_PROBE) {
        const struct prof_comm *c = prof_comm_of_number(call->comm);
        struct isp_result told;
        MPI_Status status;
        while (!probe(c, prof_comm_local(c, result->source), result->tag, matched_of(call), &status))
            rest(&r);
        rested(&r);
        take_message(call, c, &status, &told);
    }
}
