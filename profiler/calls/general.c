/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests: see general.h. */
#include "general.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "completion.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "engine/refused.h"
#include "link/uplink.h"
#include "prof_calls.h"

struct prof_general {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    MPIX_Grequest_poll_function *poll; /* may be null, as wait */
    MPIX_Grequest_wait_function *wait;
    void *state;
    bool freed;   /* the request, before it was complete */
    bool fortran; /* the functions are subroutines, which return their error by an argument */
};

static unsigned n_pending; /* started and not complete */

/* The functions of a class (MPIX_Grequest_class_create). */
static struct prof_general *classes;
static int n_classes;

static struct prof_general *copy(const struct prof_general *from)
{
    struct prof_general *g = prof_alloc(1, sizeof *g);
    *g = *from;
    return g;
}

static int start(const struct prof_general *functions, MPI_Request *request)
{
    struct prof_op *op = prof_op_create_plain(PROF_OP_GENERAL, prof_comm_find(MPI_COMM_WORLD));
    op->general = copy(functions);
    struct isp_call call = {.op = ISP_OP_RECV,
                            .mode = ISP_RECV_NORMAL,
                            .flags = ISP_F_HELD,
                            .handle = op->number,
                            .comm = ISP_COMM_WORLD,
                            .peer = ISP_NO_RANK,
                            .tag = ISP_ANY_TAG};
    prof_record(&call);
    n_pending++;
    prof_op_give(op, request);
    return MPI_SUCCESS;
}

int prof_Grequest_start(enum isp_fn fn, const void *site, MPI_Grequest_query_function *query_fn,
                        MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
                        void *extra_state, MPI_Request *request)
{
    struct prof_general g = {.query = query_fn, .free = free_fn, .cancel = cancel_fn, .state = extra_state};
    if (!prof_enter(fn, site))
        return PMPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request);
    if (!request)
        return prof_leave(PMPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request));
    return prof_leave(start(&g, request));
}

/* ---- Fortran ---- */

/*
 * MPICH's Fortran binding calls MPI_Grequest_start, and then says with this internal function of MPICH that
 * the request is Fortran's. MPICH's own would look for the request where ours has none: so this stands in
 * front, as in progress.c.
 */
__attribute__((weak)) void __real_MPII_Grequest_set_lang_f77(MPI_Request request);
__attribute__((weak, visibility("default"))) void MPII_Grequest_set_lang_f77(MPI_Request request);
void __wrap_MPII_Grequest_set_lang_f77(MPI_Request request);

/* False: it is not one of ours. */
static bool mark_fortran(MPI_Request request)
{
    if (prof_passthrough() || prof_phase != PROF_RUNNING || !prof_enter(prof_current.fn, prof_current.site))
        return false;
    struct prof_op *op = prof_op_of_request(request);
    bool ours = op && op->general;
    if (ours)
        op->general->fortran = true;
    prof_leave(MPI_SUCCESS);
    return ours;
}

void MPII_Grequest_set_lang_f77(MPI_Request request)
{
    if (mark_fortran(request))
        return;
    void (*real)(MPI_Request) = (void (*)(MPI_Request))dlsym(RTLD_NEXT, "MPII_Grequest_set_lang_f77");
    if (real)
        real(request);
}

void __wrap_MPII_Grequest_set_lang_f77(MPI_Request request)
{
    if (!mark_fortran(request))
        __real_MPII_Grequest_set_lang_f77(request);
}

/* ---- calls of the program's functions, whatever its language ---- */

typedef void fortran_query(void *state, MPI_Fint *status, MPI_Fint *error);
typedef void fortran_free(void *state, MPI_Fint *error);
typedef void fortran_cancel(void *state, MPI_Fint *complete, MPI_Fint *error);

static int query(const struct prof_general *g, MPI_Status *status)
{
    MPI_Fint plain[MPI_F_STATUS_SIZE], error = MPI_SUCCESS;
    if (!g->query)
        return MPI_SUCCESS;
    if (!g->fortran)
        return g->query(g->state, status);
    PMPI_Status_c2f(status, plain);
    ((fortran_query *)(void *)g->query)(g->state, plain, &error);
    PMPI_Status_f2c(plain, status);
    return error;
}

static int free_state(const struct prof_general *g)
{
    MPI_Fint error = MPI_SUCCESS;
    if (!g->free)
        return MPI_SUCCESS;
    if (!g->fortran)
        return g->free(g->state);
    ((fortran_free *)(void *)g->free)(g->state, &error);
    return error;
}

static int cancel(const struct prof_general *g, bool complete)
{
    MPI_Fint flag = complete, error = MPI_SUCCESS;
    if (!g->cancel)
        return MPI_SUCCESS;
    if (!g->fortran)
        return g->cancel(g->state, complete);
    ((fortran_cancel *)(void *)g->cancel)(g->state, &flag, &error);
    return error;
}

/* ---- MPICH's extension ---- */

static MPI_Request make_extended(struct prof_general g)
{
    MPI_Request request;
    start(&g, &request);
    return request;
}

int prof_XGrequest_start(enum isp_fn fn, const void *site, MPI_Grequest_query_function *query_fn,
                         MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
                         MPIX_Grequest_poll_function *poll_fn, MPIX_Grequest_wait_function *wait_fn,
                         void *extra_state, MPI_Request *request)
{
    if (!prof_enter(fn, site))
        return PMPIX_Grequest_start(query_fn, free_fn, cancel_fn, poll_fn, wait_fn, extra_state, request);
    struct prof_general g = {.query = query_fn,
                             .free = free_fn,
                             .cancel = cancel_fn,
                             .poll = poll_fn,
                             .wait = wait_fn,
                             .state = extra_state};
    *request = make_extended(g);
    return prof_leave(MPI_SUCCESS);
}

int prof_XGrequest_class_create(enum isp_fn fn, const void *site, MPI_Grequest_query_function *query_fn,
                                MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
                                MPIX_Grequest_poll_function *poll_fn, MPIX_Grequest_wait_function *wait_fn,
                                MPIX_Grequest_class *greq_class)
{
    if (!prof_enter(fn, site))
        return PMPIX_Grequest_class_create(query_fn, free_fn, cancel_fn, poll_fn, wait_fn, greq_class);
    classes = prof_grow(classes, (size_t)n_classes + 1, sizeof *classes);
    classes[n_classes] = (struct prof_general){
        .query = query_fn, .free = free_fn, .cancel = cancel_fn, .poll = poll_fn, .wait = wait_fn};
    *greq_class = (MPIX_Grequest_class)n_classes++;
    return prof_leave(MPI_SUCCESS);
}

int prof_XGrequest_class_allocate(enum isp_fn fn, const void *site, MPIX_Grequest_class greq_class,
                                  void *extra_state, MPI_Request *request)
{
    if (!prof_enter(fn, site))
        return PMPIX_Grequest_class_allocate(greq_class, extra_state, request);
    if ((int)greq_class < 0 || (int)greq_class >= n_classes)
        return prof_leave(prof_error_raise(MPI_COMM_WORLD, MPI_ERR_ARG));
    struct prof_general g = classes[greq_class];
    g.state = extra_state;
    *request = make_extended(g);
    return prof_leave(MPI_SUCCESS);
}

/* ---- completion ---- */

int prof_Grequest_complete(enum isp_fn fn, const void *site, MPI_Request request)
{
    struct prof_op *op = NULL;
    if (!prof_enter(fn, site))
        return PMPI_Grequest_complete(request);
    if (!prof_request_is_foreign(request))
        op = prof_request_target(request, false); /* its request may be freed */
    if (!op && prof_request_is_old(request))
        return prof_leave(prof_request_refuse_old(request, -1));
    if (!op || op->kind != PROF_OP_GENERAL || op->done)
        return prof_leave(prof_error_raise(MPI_COMM_WORLD, MPI_ERR_REQUEST));
    struct isp_call call = {.op = ISP_OP_READY, .handle = op->number};
    prof_record(&call);
    prof_link_flush(); /* this thread may not call MPI again while another waits */
    struct prof_general *freed = op->general && op->general->freed ? op->general : NULL;
    if (freed)
        op->general = NULL;
    n_pending--;
    prof_op_done(op);
    prof_leave(MPI_SUCCESS);
    int rc = MPI_SUCCESS;
    if (freed)
        rc = free_state(freed);
    free(freed);
    return rc;
}

/* The program's functions run as the program does, and the wrapper goes on as it was. */
#define OUTSIDE(call)                               \
    do {                                            \
        struct prof_current current = prof_current; \
        prof_leave(MPI_SUCCESS);                    \
        call;                                       \
        prof_enter(current.fn, current.site);       \
    } while (0)

static struct prof_op *pending(MPI_Request request)
{
    struct prof_op *op = prof_op_of_request(request);
    return op && op->kind == PROF_OP_GENERAL && !op->done ? op : NULL;
}

static void progress_one(MPI_Request request, bool wait)
{
    struct prof_op *op;
    while ((op = pending(request))) {
        struct prof_general g = *op->general;
        int rc = MPI_SUCCESS;
        if (wait && g.wait)
            OUTSIDE(rc = g.wait(1, &g.state, 0, &op->status));
        else if (g.poll)
            OUTSIDE(rc = g.poll(g.state, &op->status));
        else
            return;
        if (rc != MPI_SUCCESS || !wait)
            return;
        sched_yield();
    }
}

void prof_general_progress(int count, const MPI_Request *requests, bool wait)
{
    for (int i = 0; n_pending && requests && i < count; i++)
        if (pending(requests[i]))
            progress_one(requests[i], wait);
}

void prof_general_settle(struct prof_op *op)
{
    const struct prof_general *g = op->general;
    MPI_Status status = op->status;
    int rc = MPI_SUCCESS;
    OUTSIDE(rc = query(g, &status));
    op->status = status;
    op->error = rc;
}

int prof_general_free(struct prof_op *op)
{
    struct prof_general *g = op->general;
    int rc = MPI_SUCCESS;
    if (!op->done) {
        g->freed = true;
        return rc;
    }
    op->general = NULL;
    OUTSIDE(rc = free_state(g));
    free(g);
    return rc;
}

int prof_general_cancel(const struct prof_op *op)
{
    const struct prof_general *g = op->general;
    int rc = MPI_SUCCESS;
    OUTSIDE(rc = cancel(g, op->done));
    return rc;
}
