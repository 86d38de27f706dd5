/* SPDX-License-Identifier: BSD-3-Clause */
/* The fences of ranks that go ahead: see ahead.h. */
#include "ahead.h"

#include <stdlib.h>
#include <string.h>

#include "ahead_inside.h"
#include "ahead_operations.h"
#include "ahead_rest.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/errors_quiet.h"
#include "errors.h"
#include "forced.h"
#include "isp/outcome.h"
#include "link/bells.h"
#include "link/progress.h"
#include "link/uplink.h"
#include "probed.h"
#include "tables/communicators.h"

#define LEAST_PATIENCE_NS 100000 /* a `not yet` costs more: memory is looked at (polled.h) */
#define MOST_PATIENCE_NS 100000000

/* So long a poll waits for MPI to say yes, before isp is asked: longer where that comes, or isp waits for it
 * as well, and shorter where the program is to be told `not yet`, and may have something else to do. */
static int64_t patience_ns = 20000000;
static struct isp_result seen; /* what MPI has said to the poll that is about to be told ... */
static bool has_seen;          /* ... if it has said yes */
static bool may_see;           /* it has said no, and isp is asked: it may say yes still */

bool prof_ahead_has_seen(void) { return has_seen; }

static void meet_operation(const struct isp_call *call)
{
    struct prof_op *op = prof_op_at(call->handle);
    prof_ahead_issue(op, call);
    if (op->kind != PROF_OP_FREE)
        prof_ahead_await(op);
}

/* What poe cannot cancel (poe/cancel.h) MPI is not asked to cancel. */
static void meet_cancel(const struct isp_call *call)
{
    struct prof_op *op = prof_op_at(call->handle);
    if (op->done || op->wild == PROF_NOT_WILD)
        return;
    if (prof_forced_find(op->index)) { /* it gets that message */
        prof_ahead_await(op);
        return;
    }
    prof_errors_quiet(true);
    PMPI_Cancel(&op->real);
    prof_errors_quiet(false);
    prof_ahead_is_done(op); /* now, or if its message has come in time, when all of that is there */
}

/* message: where it goes that a matched probe takes, or NULL */
static bool probe(const struct prof_comm *c, int peer, int tag, MPI_Message *message, MPI_Status *status)
{
    int flag = 0;
    prof_progress_begin();
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
    uint64_t index = prof_ahead_present();
    MPI_Status status;
    struct prof_ahead_rest r = {0};
    prof_ahead_find_message(call, c, &peer, &tag);
    while (!probe(c, peer, tag, matched_of(call), &status))
        prof_ahead_rest(&r);
    prof_ahead_rested(&r);
    take_message(call, c, &status, result);
    if (isp_call_tells_message(call))
        prof_ahead_tell_message(index, c, &status, false);
}

/* ... of the record's list, or of these positions of it. */
static bool are_complete(const struct isp_call *call, const uint32_t *positions, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!prof_ahead_is_complete(prof_op_at(call->list[positions ? positions[i] : i])))
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
        if (prof_ahead_is_complete(prof_op_at(call->list[i])))
            found[n++] = i;
    return n;
}

static void meet_requests(const struct isp_call *call, struct isp_result *result)
{
    uint64_t index = prof_ahead_present();
    const struct isp_outcome *forced =
        call->mode != ISP_COMPLETE_ALL && call->n > 1 ? prof_forced_find(index) : NULL;
    struct prof_ahead_rest r = {0};
    make_room(call->n);
    if (call->mode == ISP_COMPLETE_ALL) {
        while (!are_complete(call, NULL, call->n))
            prof_ahead_rest(&r);
        prof_ahead_rested(&r);
        return;
    }
    uint32_t n = forced ? forced->n : 0;
    if (forced) {
        while (!are_complete(call, forced->list, n))
            prof_ahead_rest(&r);
        memcpy(found, forced->list, n * sizeof *found);
    }
    while (n == 0 && (n = find_complete(call)) == 0)
        prof_ahead_rest(&r);
    prof_ahead_rested(&r);
    result->n = n;
    result->list = found;
    if (call->n > 1)
        prof_ahead_tell_positions(index, found, n, false);
}

/* ---- polls ---- */

enum answer { NO, YES, ASK };

/* What MPI says. asked: isp has been asked, and what is found stays where it is until it agrees. */
static enum answer poll_message(const struct isp_call *call, bool asked)
{
    const struct prof_comm *c = prof_comm_of_number(call->comm);
    int peer = call->peer == ISP_ANY_SOURCE ? MPI_ANY_SOURCE : prof_comm_local(c, call->peer);
    MPI_Status status;
    if (!probe(c, peer, call->tag == ISP_ANY_TAG ? MPI_ANY_TAG : call->tag, NULL, &status))
        return NO;
    if (prof_probed_is_known((struct prof_probed){c, status.MPI_SOURCE, status.MPI_TAG}))
        return ASK;
    if (call->flags & ISP_F_MATCHED && !asked)
        probe(c, status.MPI_SOURCE, status.MPI_TAG, matched_of(call), &status);
    if (!asked)
        take_message(call, c, &status, &seen);
    prof_ahead_tell_message(asked ? prof_ahead_present() : prof_ahead_next(), c, &status, asked);
    return YES;
}

static enum answer poll_requests(const struct isp_call *call, bool asked)
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
    prof_ahead_tell_positions(asked ? prof_ahead_present() : prof_ahead_next(), found, seen.n, asked);
    return YES;
}

static enum answer poll(const struct isp_call *call, bool asked)
{
    seen = (struct isp_result){.flag = 1, .new_comm = ISP_NO_COMM};
    return call->op == ISP_OP_PROBE ? poll_message(call, asked) : poll_requests(call, asked);
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
    has_seen = may_see = false;
    if (!(call->flags & ISP_F_POLL) || call->flags & ISP_F_KEEP || !prof_ahead_can_be_done(call) ||
        prof_forced_is_asked(prof_ahead_next()))
        return;
    struct prof_ahead_rest r = {.most_ns = patience_ns};
    unsigned rounds = 0;
    int64_t since_ns = 0;
    enum answer answer;
    while ((answer = poll(call, false)) == NO &&
           ((rounds < PROF_AHEAD_SLEEP_IDLE && !r.slept) || prof_now_ns() - since_ns < patience_ns)) {
        if (rounds++ == 0)
            since_ns = prof_now_ns();
        prof_ahead_rest(&r);
    }
    prof_ahead_rested(&r);
    has_seen = answer == YES;
    may_see = answer == NO;
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
    case ISP_OP_CANCEL: meet_cancel(call); break;
    case ISP_OP_COLLECTIVE:
        if (call->flags & ISP_F_SLOT) {
            meet_operation(call);
        } else {
            result->new_comm = prof_ahead_number_made(call->mode);
            prof_ahead_meet_members(call);
        }
        break;
    default: break;
    }
}

void prof_ahead_await_answer(const struct isp_call *call)
{
    struct prof_ahead_rest r = {0};
    int flag;
    prof_bells_busy(+1); /* isp does not ring */
    while (!prof_link_has_input()) {
        enum answer answer = may_see ? poll(call, true) : NO;
        may_see &= answer == NO;
        if (answer == YES)
            prof_link_flush();
        if (!may_see) {
            prof_progress_begin();
            PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        prof_ahead_rest(&r);
    }
    prof_ahead_rested(&r);
    prof_bells_busy(-1);
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
            prof_ahead_await(op);
    }
    free(m.list);
}

void prof_ahead_obey(const struct isp_call *call, struct isp_result *result)
{
    struct prof_ahead_rest r = {0};
    if (call->flags & ISP_F_POLL)
        learn_patience(result->flag);
    if (!result->flag)
        return;
    if (call->op == ISP_OP_COMPLETE) {
        bool all = call->mode == ISP_COMPLETE_ALL;
        while (!are_complete(call, all ? NULL : result->list, all ? call->n : result->n))
            prof_ahead_rest(&r);
        prof_ahead_rested(&r);
    }
    if (call->op == ISP_OP_FINALIZE)
        await_matched(result->list, result->n);
    if (call->op == ISP_OP_PROBE) {
        const struct prof_comm *c = prof_comm_of_number(call->comm);
        MPI_Status status;
        while (!probe(c, prof_comm_local(c, result->source), result->tag, matched_of(call), &status))
            prof_ahead_rest(&r);
        prof_ahead_rested(&r);
        take_message(call, c, &status, result); /* the size, if isp has only agreed */
    }
}
