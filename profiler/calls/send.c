/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends (MPI-4.0, sections 3.4, 3.6 and 3.7). A standard send waits for its receive, or, when the
 * scheduler buffers, it leaves a copy of its data behind and goes on, as MPI_Bsend always does. A
 * ready send completes as a standard send does.
 */
#include <limits.h>

#include "engine/bsend.h"
#include "engine/errors.h"
#include "engine/nobody.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "prof_calls.h"

/* A buffered send that the attached buffer has no room for. */
static bool refused(const struct prof_envelope *e, enum isp_send_mode mode)
{
    return mode == ISP_SEND_BUFFERED && !prof_bsend_fits(e);
}

static int send_blocking(const struct prof_envelope *e, enum isp_send_mode mode)
{
    if (e->peer == MPI_PROC_NULL) {
        prof_nobody_tell(PROF_OP_SEND, e);
        return MPI_SUCCESS;
    }
    bool detached = mode == ISP_SEND_BUFFERED ||
                    (mode != ISP_SEND_SYNC && prof_settings()->buffered && !prof_settings()->mixed);
    struct prof_op *op =
        prof_op_post(PROF_OP_SEND, (uint8_t)mode, detached ? ISP_F_DETACHED : ISP_F_FENCE, e, NULL);
    if (detached)
        return MPI_SUCCESS;
    int rc = op->error;
    prof_op_let_go(op);
    return prof_error_raise(e->comm, rc);
}

#define ENVELOPE                                                                                       \
    {                                                                                                  \
        .buf = (void *)(uintptr_t)buf, .count = count, .datatype = datatype, .peer = dest, .tag = tag, \
        .comm = comm,                                                                                  \
    }

/* MPI_X, the way that the program called it. */
#define PMPI(X, ...)                                                                                  \
    (fn == ISP_FN_MPI_##X##_c                                                                         \
         ? PMPI_##X##_c(e.buf, e.count, e.datatype, e.peer, e.tag, e.comm __VA_OPT__(, ) __VA_ARGS__) \
         : PMPI_##X(e.buf, (int)e.count, e.datatype, e.peer, e.tag, e.comm __VA_OPT__(, ) __VA_ARGS__))

#define SEND(X, mode)                                                                                       \
    int prof_##X(enum isp_fn fn, const void *site, const void *buf, MPI_Count count, MPI_Datatype datatype, \
                 int dest, int tag, MPI_Comm comm)                                                          \
    {                                                                                                       \
        struct prof_envelope e = ENVELOPE;                                                                  \
        if (!prof_enter(fn, site))                                                                          \
            return PMPI(X);                                                                                 \
        if (!prof_envelope_check(&e, false))                                                                \
            return prof_leave(PMPI(X));                                                                     \
        if (refused(&e, mode))                                                                              \
            return prof_leave(prof_bsend_refuse(&e));                                                       \
        return prof_leave(send_blocking(&e, mode));                                                         \
    }

#define ISEND(X, mode)                                                                                      \
    int prof_##X(enum isp_fn fn, const void *site, const void *buf, MPI_Count count, MPI_Datatype datatype, \
                 int dest, int tag, MPI_Comm comm, MPI_Request *request)                                    \
    {                                                                                                       \
        struct prof_envelope e = ENVELOPE;                                                                  \
        if (!prof_enter(fn, site))                                                                          \
            return PMPI(X, request);                                                                        \
        if (!request || !prof_envelope_check(&e, false))                                                    \
            return prof_leave(PMPI(X, request));                                                            \
        if (refused(&e, mode))                                                                              \
            return prof_leave(prof_bsend_refuse(&e));                                                       \
        prof_op_give(prof_op_post(PROF_OP_SEND, mode, 0, &e, NULL), request);                               \
        return prof_leave(MPI_SUCCESS);                                                                     \
    }

SEND(Send, ISP_SEND_STANDARD)
SEND(Bsend, ISP_SEND_BUFFERED)
SEND(Ssend, ISP_SEND_SYNC)
SEND(Rsend, ISP_SEND_READY)
ISEND(Isend, ISP_SEND_STANDARD)
ISEND(Ibsend, ISP_SEND_BUFFERED)
ISEND(Issend, ISP_SEND_SYNC)
ISEND(Irsend, ISP_SEND_READY)
