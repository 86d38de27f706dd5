/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Wait and Test families (MPI-4.0, sections 3.7.3 to 3.7.6), MPI_Request_free and MPI_Cancel. A
 * record lists the active requests; the scheduler says which are complete. If none is
 * active, the answer is known here.
 */
#include "completion.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/ahead.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/level.h"
#include "engine/prof.h"
#include "engine/refused.h"
#include "general.h"
#include "joined.h"
#include "link/uplink.h"
#include "memory/pending.h"
#include "outside/polled.h"
#include "partitioned.h"
#include "persistent.h"
#include "prof_calls.h"
#include "tables/handles.h"
#include "threads/thread.h"

bool prof_request_is_foreign(MPI_Request request)
{
    if (((unsigned)request & 0xfc000000u) == PROF_HANDLE_BITS)
        return false;
    int flag;
    prof_errors_quiet(true);
    int rc = prof_errors_heard(PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    prof_errors_quiet(false);
    if (rc == MPI_SUCCESS) /* made by a call that isp does not model */
        prof_unsupported(prof_current.fn, prof_current.site);
    return true;
}

enum prof_request_state prof_request_look(MPI_Request request, struct prof_op **op)
{
    if (request == MPI_REQUEST_NULL)
        return PROF_REQUEST_NOTHING;
    if (prof_request_is_foreign(request))
        return PROF_REQUEST_INVALID;
    struct prof_persistent *p = prof_persistent_of(request);
    *op = p ? p->active : prof_op_of_request(request);
    if (p && !*op)
        return PROF_REQUEST_NOTHING;
    if (*op)
        return PROF_REQUEST_ACTIVE;
    return prof_request_is_old(request) ? PROF_REQUEST_OLD : PROF_REQUEST_INVALID;
}

/* The active requests of an array, in its order. Buffers are reused: no malloc per call. */
static __thread struct active {
    uint32_t *handles;
    struct prof_op **ops;
    int *index; /* place in the program's array */
    uint32_t n, room;
    int twice; /* place of a plain request that is there a second time, or -1 */
    int code;  /* what the call returns, if the program has been told that it is wrong */
    uint64_t mark;
} active __attribute__((tls_model("initial-exec")));

static _Atomic uint64_t marks;

static void free_active(struct active *a)
{
    free(a->handles);
    free(a->ops);
    free(a->index);
}

static void make_room(uint32_t room)
{
    if (room <= active.room)
        return;
    active.room = 2 * room;
    active.handles = prof_grow(active.handles, active.room, sizeof *active.handles);
    active.ops = prof_grow(active.ops, active.room, sizeof(struct prof_op *));
    active.index = prof_grow(active.index, active.room, sizeof *active.index);
}

/* False: the program has been told what is wrong with the array (active.code is not MPI_SUCCESS), or only MPI
 * can say it. */
static bool gather(int count, const MPI_Request *requests)
{
    active.code = MPI_SUCCESS;
    if (count < 0 || (count > 0 && !requests))
        return false;
    make_room((uint32_t)count);
    active.n = 0;
    active.twice = -1;
    active.mark = ++marks;
    for (int i = 0; i < count; i++) {
        struct prof_op *op;
        enum prof_request_state state = prof_request_look(requests[i], &op);
        if (state == PROF_REQUEST_INVALID)
            return false;
        if (state == PROF_REQUEST_OLD) {
            active.code = prof_request_refuse_old(requests[i], count > 1 ? i : -1);
            return false;
        }
        if (state == PROF_REQUEST_NOTHING)
            continue;
        /* the same request again: inactive then if it is persistent, else an old handle */
        if (op->gathered == active.mark) {
            active.twice = op->persistent ? active.twice : i;
            continue;
        }
        op->gathered = active.mark;
        active.handles[active.n] = op->number;
        active.ops[active.n] = op;
        active.index[active.n++] = i;
    }
    if (prof_current.fn != ISP_FN_MPI_Request_get_status)
        prof_persistent_asked(count, requests, active.n > 0);
    return true;
}

/* The same for a call that completes all of them, one after the other. */
static bool gather_all(int count, const MPI_Request *requests)
{
    if (!gather(count, requests))
        return false;
    if (active.twice >= 0)
        active.code = prof_request_refuse_twice(active.twice);
    return active.twice < 0;
}

/* Calls the functions of a generalized request, which may complete requests themselves. */
static int ask_program(struct prof_op *op, bool to_free)
{
    struct active mine = active;
    int rc = MPI_SUCCESS;
    active = (struct active){0};
    if (to_free)
        rc = prof_general_free(op);
    else
        prof_general_settle(op);
    free_active(&active);
    active = mine;
    return rc;
}

/* The operation is complete: its status and error can be read. */
static void settle(struct prof_op *op)
{
    const struct prof_op *receive = op->kind == PROF_OP_JOIN ? op->parts[1] : op;
    if (!receive->done && receive->kind != PROF_OP_SEND && !receive->early)
        prof_link_broken();
    prof_pending_complete(op);
    if (op->kind == PROF_OP_JOIN)
        prof_join_settle(op);
    else if (op->kind == PROF_OP_GENERAL)
        ask_program(op, false);
    else
        prof_op_copy(op); /* the program may use the buffer of a buffered send from now on */
}

int prof_op_deliver(struct prof_op *op, MPI_Status *status)
{
    settle(op);
    prof_status_copy(status, &op->status);
    int rc = op->error;
    if (op->kind == PROF_OP_GENERAL) {
        int freed = ask_program(op, true);
        rc = rc == MPI_SUCCESS ? freed : rc;
    }
    if (op->persistent) {
        prof_partitions_end(prof_persistent_at(op->persistent - 1));
        prof_persistent_at(op->persistent - 1)->active = NULL;
    }
    op->persistent = 0;
    prof_op_consume(op);
    return rc;
}

/* Several threads may be in MPI: none of them may complete what another one waits for (MPI-4.0,
 * section 11.6.1). `mine`: NULL for a test, which may be repeated by whoever likes. */
static void claim(const struct prof_place *mine)
{
    for (uint32_t i = 0; i < active.n; i++)
        if (active.ops[i]->waiter)
            prof_level_refuse_waiter(prof_current.fn, prof_current.site, active.ops[i]->waiter);
    for (uint32_t i = 0; i < active.n; i++)
        active.ops[i]->waiter = mine;
}

static void unclaim(void)
{
    for (uint32_t i = 0; i < active.n; i++)
        active.ops[i]->waiter = NULL;
}

/* Asks the scheduler; true unless it is a poll and the answer is `not yet`. */
static bool ask(enum isp_complete_mode mode, uint16_t flags, struct isp_result *result)
{
    struct isp_call call = {
        .op = ISP_OP_COMPLETE, .mode = (uint8_t)mode, .flags = flags, .list = active.handles, .n = active.n};
    struct prof_place mine = {prof_current.fn, prof_current.site};
    bool poll = flags & ISP_F_POLL;
    call.flags |= poll ? prof_polled_flags() : 0;
    if (prof_threads_at_once)
        claim(poll ? NULL : &mine);
    prof_fence(&call, result);
    if (poll)
        prof_polled_answer(result->flag);
    if (prof_threads_at_once && !poll)
        unclaim();
    if (!result->flag && (flags & ISP_F_POLL))
        return false;
    if (mode == ISP_COMPLETE_ALL)
        return true;
    if (result->n == 0 || (mode == ISP_COMPLETE_ANY && result->n != 1))
        prof_link_broken();
    for (uint32_t i = 0; i < result->n; i++) /* ascending: none is there twice */
        if (result->list[i] >= active.n || (i > 0 && result->list[i] <= result->list[i - 1]))
            prof_link_broken();
    return true;
}

/* The first error of a call that completes operations; its communicator is kept for the handler. */
struct failure {
    int code;
    struct prof_comm *comm;
};

static int deliver(uint32_t i, MPI_Request *requests, MPI_Status *status, struct failure *failure)
{
    struct prof_op *op = active.ops[i];
    struct prof_comm *comm = op->comm;
    bool persistent = op->persistent != 0;
    prof_comm_hold(comm);
    int rc = prof_op_deliver(op, status);
    if (!persistent)
        requests[active.index[i]] = MPI_REQUEST_NULL;
    if (rc != MPI_SUCCESS && failure->code == MPI_SUCCESS)
        *failure = (struct failure){rc, comm};
    else
        prof_comm_release(comm);
    return rc;
}

/* Calls the handler. Of several operations at once, the codes are in the statuses; our own handler, which
 * aborts, is better told the real one. */
static int fail(const struct failure *failure, bool several)
{
    if (failure->code == MPI_SUCCESS)
        return MPI_SUCCESS;
    int code = several ? MPI_ERR_IN_STATUS : failure->code;
    prof_error_raise(failure->comm->handle, failure->comm->handler ? code : failure->code);
    prof_comm_release(failure->comm);
    return code;
}

/* ---- all ---- */

static int complete_all(int count, MPI_Request *requests, MPI_Status *statuses)
{
    struct failure failure = {MPI_SUCCESS, NULL};
    bool ignore = statuses == MPI_STATUSES_IGNORE;
    for (int i = 0; !ignore && active.n < (uint32_t)count && i < count; i++)
        prof_status_empty(&statuses[i]);
    int *codes = NULL;
    for (uint32_t i = 0; i < active.n; i++) {
        int at = active.index[i];
        int rc = deliver(i, requests, ignore ? MPI_STATUS_IGNORE : &statuses[at], &failure);
        if (rc == MPI_SUCCESS || ignore)
            continue;
        if (!codes)
            codes = prof_alloc((size_t)count, sizeof *codes);
        codes[at] = rc;
    }
    for (int i = 0; codes && i < count; i++)
        statuses[i].MPI_ERROR = codes[i];
    free(codes);
    return fail(&failure, true);
}

int prof_Waitall(enum isp_fn fn, const void *site, int count, MPI_Request array_of_requests[],
                 MPI_Status *array_of_statuses)
{
    if (!prof_enter(fn, site))
        return PMPI_Waitall(count, array_of_requests, array_of_statuses);
    prof_general_progress(count, array_of_requests, true);
    if (!gather_all(count, array_of_requests))
        return prof_leave(active.code ? active.code
                                      : PMPI_Waitall(count, array_of_requests, array_of_statuses));
    struct isp_result result;
    if (active.n > 0)
        ask(ISP_COMPLETE_ALL, 0, &result);
    for (int i = 0; array_of_statuses != MPI_STATUSES_IGNORE && i < count; i++)
        array_of_statuses[i].MPI_ERROR = MPI_SUCCESS; /* in MPICH this call sets it, MPI_Testall does not */
    return prof_leave(complete_all(count, array_of_requests, array_of_statuses));
}

int prof_Testall(enum isp_fn fn, const void *site, int count, MPI_Request array_of_requests[], int *flag,
                 MPI_Status *array_of_statuses)
{
    if (!prof_enter(fn, site))
        return PMPI_Testall(count, array_of_requests, flag, array_of_statuses);
    prof_general_progress(count, array_of_requests, false);
    if (!flag || !gather_all(count, array_of_requests))
        return prof_leave(active.code ? active.code
                                      : PMPI_Testall(count, array_of_requests, flag, array_of_statuses));
    struct isp_result result;
    *flag = active.n == 0 || ask(ISP_COMPLETE_ALL, ISP_F_POLL, &result);
    return prof_leave(*flag ? complete_all(count, array_of_requests, array_of_statuses) : MPI_SUCCESS);
}

/* ---- one ---- */

static int complete_one(MPI_Request *request, MPI_Status *status)
{
    struct failure failure = {MPI_SUCCESS, NULL};
    if (active.n == 0)
        prof_status_empty(status);
    else
        deliver(0, request, status, &failure);
    return fail(&failure, false);
}

int prof_Wait(enum isp_fn fn, const void *site, MPI_Request *request, MPI_Status *status)
{
    if (!prof_enter(fn, site))
        return PMPI_Wait(request, status);
    prof_general_progress(1, request, true);
    if (!gather(1, request))
        return prof_leave(active.code ? active.code : PMPI_Wait(request, status));
    struct isp_result result;
    if (active.n > 0)
        ask(ISP_COMPLETE_ALL, 0, &result);
    return prof_leave(complete_one(request, status));
}

int prof_Test(enum isp_fn fn, const void *site, MPI_Request *request, int *flag, MPI_Status *status)
{
    if (!prof_enter(fn, site))
        return PMPI_Test(request, flag, status);
    prof_general_progress(1, request, false);
    if (!flag || !gather(1, request))
        return prof_leave(active.code ? active.code : PMPI_Test(request, flag, status));
    struct isp_result result;
    *flag = active.n == 0 || ask(ISP_COMPLETE_ALL, ISP_F_POLL, &result);
    return prof_leave(*flag ? complete_one(request, status) : MPI_SUCCESS);
}

int prof_Request_get_status(enum isp_fn fn, const void *site, MPI_Request request, int *flag,
                            MPI_Status *status)
{
    if (!prof_enter(fn, site))
        return PMPI_Request_get_status(request, flag, status);
    prof_general_progress(1, &request, false);
    if (!flag || !gather(1, &request))
        return prof_leave(active.code ? active.code : PMPI_Request_get_status(request, flag, status));
    struct isp_result result;
    *flag = 1;
    if (active.n == 0) {
        prof_status_empty(status);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = MPI_SUCCESS; /* in MPICH this call sets it, MPI_Wait and MPI_Test do not */
    } else if ((*flag = ask(ISP_COMPLETE_ALL, ISP_F_POLL | ISP_F_KEEP, &result))) {
        settle(active.ops[0]);
        prof_status_copy(status, &active.ops[0]->status);
    }
    return prof_leave(MPI_SUCCESS);
}

/* ---- any ---- */

static int complete_any(const struct isp_result *result, MPI_Request *requests, int *indx, MPI_Status *status)
{
    struct failure failure = {MPI_SUCCESS, NULL};
    if (active.n == 0) {
        *indx = MPI_UNDEFINED;
        prof_status_empty(status);
    } else {
        *indx = active.index[result->list[0]];
        deliver(result->list[0], requests, status, &failure);
    }
    return fail(&failure, false);
}

int prof_Waitany(enum isp_fn fn, const void *site, int count, MPI_Request array_of_requests[], int *indx,
                 MPI_Status *status)
{
    if (!prof_enter(fn, site))
        return PMPI_Waitany(count, array_of_requests, indx, status);
    prof_general_progress(count, array_of_requests, false);
    if (!indx || !gather(count, array_of_requests))
        return prof_leave(active.code ? active.code : PMPI_Waitany(count, array_of_requests, indx, status));
    struct isp_result result;
    if (active.n > 0)
        ask(ISP_COMPLETE_ANY, 0, &result);
    return prof_leave(complete_any(&result, array_of_requests, indx, status));
}

int prof_Testany(enum isp_fn fn, const void *site, int count, MPI_Request array_of_requests[], int *indx,
                 int *flag, MPI_Status *status)
{
    if (!prof_enter(fn, site))
        return PMPI_Testany(count, array_of_requests, indx, flag, status);
    prof_general_progress(count, array_of_requests, false);
    if (!indx || !flag || !gather(count, array_of_requests))
        return prof_leave(active.code ? active.code
                                      : PMPI_Testany(count, array_of_requests, indx, flag, status));
    struct isp_result result;
    *flag = active.n == 0 || ask(ISP_COMPLETE_ANY, ISP_F_POLL, &result);
    *indx = MPI_UNDEFINED;
    return prof_leave(*flag ? complete_any(&result, array_of_requests, indx, status) : MPI_SUCCESS);
}

/* ---- some ---- */

static int complete_some(const struct isp_result *result, MPI_Request *requests, int *outcount, int *indices,
                         MPI_Status *statuses)
{
    struct failure failure = {MPI_SUCCESS, NULL};
    if (active.n == 0) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    bool ignore = statuses == MPI_STATUSES_IGNORE;
    *outcount = (int)result->n;
    for (uint32_t i = 0; i < result->n; i++) {
        indices[i] = active.index[result->list[i]];
        bool failed = failure.code != MPI_SUCCESS;
        int rc = deliver(result->list[i], requests, ignore ? MPI_STATUS_IGNORE : &statuses[i], &failure);
        for (uint32_t k = 0; !ignore && rc != MPI_SUCCESS && !failed && k < i; k++)
            statuses[k].MPI_ERROR = MPI_SUCCESS;
        if (!ignore && (rc != MPI_SUCCESS || failed))
            statuses[i].MPI_ERROR = rc;
    }
    return fail(&failure, true);
}

int prof_Waitsome(enum isp_fn fn, const void *site, int incount, MPI_Request array_of_requests[],
                  int *outcount, int array_of_indices[], MPI_Status *array_of_statuses)
{
    if (!prof_enter(fn, site))
        return PMPI_Waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    prof_general_progress(incount, array_of_requests, false);
    if (!outcount || !gather(incount, array_of_requests))
        return prof_leave(active.code ? active.code
                                      : PMPI_Waitsome(incount, array_of_requests, outcount, array_of_indices,
                                                      array_of_statuses));
    struct isp_result result;
    if (active.n > 0)
        ask(ISP_COMPLETE_SOME, 0, &result);
    return prof_leave(
        complete_some(&result, array_of_requests, outcount, array_of_indices, array_of_statuses));
}

int prof_Testsome(enum isp_fn fn, const void *site, int incount, MPI_Request array_of_requests[],
                  int *outcount, int array_of_indices[], MPI_Status *array_of_statuses)
{
    if (!prof_enter(fn, site))
        return PMPI_Testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
    prof_general_progress(incount, array_of_requests, false);
    if (!outcount || !gather(incount, array_of_requests))
        return prof_leave(active.code ? active.code
                                      : PMPI_Testsome(incount, array_of_requests, outcount, array_of_indices,
                                                      array_of_statuses));
    struct isp_result result;
    *outcount = 0;
    if (active.n > 0 && !ask(ISP_COMPLETE_SOME, ISP_F_POLL, &result))
        return prof_leave(MPI_SUCCESS);
    return prof_leave(
        complete_some(&result, array_of_requests, outcount, array_of_indices, array_of_statuses));
}

/* ---- ends of another kind ---- */

int prof_Request_free(enum isp_fn fn, const void *site, MPI_Request *request)
{
    struct prof_op *op = NULL;
    int rc = MPI_SUCCESS;
    if (!prof_enter(fn, site))
        return PMPI_Request_free(request);
    enum prof_request_state state = request ? prof_request_look(*request, &op) : PROF_REQUEST_INVALID;
    if (state == PROF_REQUEST_OLD)
        return prof_leave(prof_request_refuse_old(*request, -1));
    if (state == PROF_REQUEST_INVALID || *request == MPI_REQUEST_NULL)
        return prof_leave(PMPI_Request_free(request));
    if (op && op->marked) { /* that completes it (MPI-4.0, 3.8.4) */
        struct isp_result result;
        if (gather(1, request) && active.n > 0)
            ask(ISP_COMPLETE_ALL, 0, &result);
        rc = complete_one(request, MPI_STATUS_IGNORE);
        if (*request == MPI_REQUEST_NULL)
            return prof_leave(rc);
        op = NULL;
    }
    struct prof_persistent *p = prof_persistent_of(*request);
    if (op && op->kind == PROF_OP_COLLECTIVE && !p) /* MPI-4.0, section 6.12 */
        return prof_leave(prof_error_raise_as(
            ISP_RULE_INVALID_REQUEST, "the request of a nonblocking collective must be completed, not freed",
            op->comm->handle, MPI_ERR_REQUEST));
    if (op) {
        struct isp_call call = {.op = ISP_OP_FREE, .handle = op->number};
        prof_record(&call);
        op->persistent = 0;
        if (op->kind == PROF_OP_GENERAL)
            rc = prof_general_free(op);
        prof_ahead_let_go(op);
        prof_op_consume(op); /* it goes on by itself */
    }
    if (p) {
        prof_handle_freed(PROF_HANDLE_REQUEST, PROF_TRACKED(*request));
        prof_partitions_end(p);
        prof_persistent_free(p);
    }
    *request = MPI_REQUEST_NULL;
    return prof_leave(prof_error_raise(MPI_COMM_WORLD, rc));
}

/* MPI-4.0, sections 3.8.4, 4.2 and 6.12. NULL: it can be cancelled. */
static const char *why_not_cancel(const struct prof_op *op)
{
    if (op->kind == PROF_OP_COLLECTIVE)
        return "a collective cannot be cancelled";
    if (op->kind == PROF_OP_JOIN)
        return "a combined send and receive cannot be cancelled";
    return op->flags & ISP_F_PARTITIONED ? "a partitioned message cannot be cancelled" : NULL;
}

int prof_Cancel(enum isp_fn fn, const void *site, MPI_Request *request)
{
    struct prof_op *op = NULL;
    if (!prof_enter(fn, site))
        return PMPI_Cancel(request);
    enum prof_request_state state = request ? prof_request_look(*request, &op) : PROF_REQUEST_INVALID;
    if (state == PROF_REQUEST_OLD)
        return prof_leave(prof_request_refuse_old(*request, -1));
    if (state == PROF_REQUEST_NOTHING && *request != MPI_REQUEST_NULL)
        return prof_leave(prof_error_raise_as(
            ISP_RULE_INVALID_REQUEST, "this persistent request is not active: there is nothing to cancel",
            MPI_COMM_WORLD, MPI_ERR_REQUEST));
    if (state != PROF_REQUEST_ACTIVE)
        return prof_leave(PMPI_Cancel(request));
    if (op->kind == PROF_OP_GENERAL)
        return prof_leave(prof_error_raise(MPI_COMM_WORLD, prof_general_cancel(op)));
    const char *why_not = why_not_cancel(op);
    if (why_not)
        return prof_leave(
            prof_error_raise_as(ISP_RULE_INVALID_REQUEST, why_not, op->comm->handle, MPI_ERR_REQUEST));
    struct isp_call call = {.op = ISP_OP_CANCEL, .handle = op->number};
    struct isp_result result;
    op->marked = true;
    prof_fence(&call, &result);
    return prof_leave(MPI_SUCCESS);
}
