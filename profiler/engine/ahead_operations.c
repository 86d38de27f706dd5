/* SPDX-License-Identifier: BSD-3-Clause */
/* See ahead_operations.h. */
#include "ahead_operations.h"

#include "ahead.h"
#include "base/alloc.h"
#include "base/errors_quiet.h"
#include "errors.h"
#include "isp/outcome.h"
#include "kept/kept.h"
#include "link/progress.h"
#include "link/uplink.h"
#include "prof.h"
#include "tables/communicators.h"

enum { MOST_LEAVING = 64 };

static struct prof_op **wild; /* of which isp has to be told what they have got, and which are not complete */
static uint32_t n_wild, room_wild;
static struct prof_op **leaving; /* complete for the program, and not yet in MPI */
static uint32_t n_leaving, room_leaving, most_leaving = MOST_LEAVING;

/* ---- what is told ---- */

static void tell(const struct isp_outcome *outcome)
{
    isp_put_outcome(prof_link_begin(ISP_MSG_OUTCOME), outcome);
    prof_link_end();
}

void prof_ahead_tell_message(uint64_t index, const struct prof_comm *c, const MPI_Status *status, bool asked)
{
    tell(&(struct isp_outcome){.index = index,
                               .source = prof_comm_world(c, status->MPI_SOURCE),
                               .tag = status->MPI_TAG,
                               .asked = asked});
}

/* What a receive has come to. (In the status of a probe MPICH leaves what says whether it was cancelled.) */
static void tell_receive(const struct prof_op *op, const MPI_Status *status)
{
    int cancelled = 0;
    PMPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        tell(&(struct isp_outcome){.index = op->index, .source = -1, .tag = -1});
    else
        prof_ahead_tell_message(op->index, op->comm, status, false);
}

void prof_ahead_tell_positions(uint64_t index, const uint32_t *list, uint32_t n, bool asked)
{
    tell(
        &(struct isp_outcome){.index = index, .source = -1, .tag = -1, .n = n, .list = list, .asked = asked});
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

void prof_ahead_finish(struct prof_op *op)
{
    if (op->wild) {
        if (op->wild == PROF_WILD_OPEN)
            tell_receive(op, &op->status);
        no_more_wild(op);
        op->wild = PROF_NOT_WILD;
    }
    if (op->kind == PROF_OP_COLLECTIVE && op->kept->finish && op->error == MPI_SUCCESS)
        op->kept->finish(op->kept);
    prof_op_done(op);
}

bool prof_ahead_has_come(MPI_Request *request, MPI_Status *status, int *error)
{
    int flag = 0;
    prof_progress_begin(); /* in what it is asked MPI may wait for other ranks, as in MPI_Comm_idup's */
    *error =
        *request == MPI_REQUEST_NULL ? MPI_SUCCESS : prof_errors_heard(PMPI_Test(request, &flag, status));
    return flag || *error != MPI_SUCCESS || *request == MPI_REQUEST_NULL;
}

bool prof_ahead_is_done(struct prof_op *op)
{
    int error = MPI_SUCCESS;
    if (op->done)
        return true;
    prof_errors_quiet(true);
    MPI_Errhandler handler = prof_errors_silence(op->comm);
    bool done =
        prof_ahead_has_come(&op->meets, MPI_STATUS_IGNORE, &error) &&
        (op->real == MPI_REQUEST_NULL ||
         prof_ahead_has_come(&op->real, op->kind == PROF_OP_COLLECTIVE ? MPI_STATUS_IGNORE : &op->status,
                             &op->error));
    prof_errors_unsilence(op->comm, handler);
    prof_errors_quiet(false);
    if (done)
        prof_ahead_finish(op);
    return done;
}

bool prof_ahead_is_complete(struct prof_op *op)
{
    if (op->kind == PROF_OP_JOIN) {
        bool send = op->done || prof_ahead_is_complete(op->parts[0]),
             receive = op->done || prof_ahead_is_complete(op->parts[1]);
        return send && receive;
    }
    return op->kind == PROF_OP_MESSAGE || op->leaves || prof_ahead_is_done(op);
}

/* Those whose messages are gone are forgotten. */
static void sweep(void)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n_leaving; i++)
        if (!prof_ahead_is_done(leaving[i]))
            leaving[kept++] = leaving[i];
    n_leaving = kept;
    most_leaving = 2 * kept > MOST_LEAVING ? 2 * kept : MOST_LEAVING;
}

void prof_ahead_look(void)
{
    if (!prof_ahead_is_on())
        return;
    for (uint32_t i = 0; i < n_wild; i++) {
        int flag = 0;
        MPI_Status status;
        struct prof_op *op = wild[i];
        if (op->wild != PROF_WILD_OPEN)
            continue;
        prof_errors_quiet(true);
        prof_progress_begin();
        PMPI_Request_get_status(op->real, &flag, &status);
        prof_errors_quiet(false);
        if (!flag)
            continue;
        tell_receive(op, &status);
        op->wild = PROF_WILD_TOLD;
    }
    sweep();
    prof_link_offer(true);
}

void prof_ahead_open(struct prof_op *op)
{
    op->wild = PROF_WILD_OPEN;
    push(&wild, &n_wild, &room_wild, op);
}

void prof_ahead_leave(struct prof_op *op)
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
            prof_ahead_leave(op->parts[i]);
    if (op->kind != PROF_OP_JOIN && !op->done && !op->leaves)
        prof_ahead_leave(op);
}
