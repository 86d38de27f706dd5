/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that have a request, or take turns: RMA with a request (MPI-4.0, section 12.3.5), and the
 * nonblocking and shared-pointer calls of MPI-IO (sections 14.4 and 14.5). No other rank has to do anything
 * for them: MPI does and completes them at once, and the program gets a request that is complete from birth
 * (prof_op_create_local). So between two moves of the scheduler nothing is in flight.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/ahead.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "files.h"
#include "memory/pending.h"
#include "prof_calls.h"
#include "windows/rma.h"
#include "windows/turns.h"
#include "windows/windows.h"

/* MPI has started `real`: completes it, and gives the program its request. comm: number of the window (w) or
 * file (NULL). */
static int complete(int rc, int32_t comm, struct prof_win *w, MPI_Request *real, MPI_Request *request)
{
    MPI_Status status;
    prof_status_empty(&status);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Wait(real, &status);
    if (rc != MPI_SUCCESS)
        return rc;
    struct prof_op *op = prof_op_create_local(comm, &status);
    if (w)
        prof_origins_attach(w, op);
    prof_op_give(op, request);
    return rc;
}

/* X_c if the program called that, with counts as wide as it has them. */
#define PMPI(X, ...) (fn == ISP_FN_MPI_##X##_c ? PMPI_##X##_c(__VA_ARGS__) : PMPI_##X(__VA_ARGS__))

/* ---- windows ---- */

#define TARGET                                                                \
    .target = target_rank, .disp = target_disp, .target_count = target_count, \
    .target_type = target_datatype, .win = win, .request = true
#define ORIGIN .origin = origin_addr, .origin_count = origin_count, .origin_type = origin_datatype

/* a: what is accessed. */
#define ACCESS(X, a, ...)                                                      \
    do {                                                                       \
        if (!prof_enter(fn, site))                                             \
            return PMPI(X, __VA_ARGS__, win, request);                         \
        struct prof_win *w = request ? prof_win_find(win) : NULL;              \
        if (!w)                                                                \
            return prof_leave(PMPI(X, __VA_ARGS__, win, request));             \
        int rc = prof_rma_check(&a);                                           \
        if (rc != MPI_SUCCESS)                                                 \
            return prof_leave(rc);                                             \
        bool turn = prof_turn_is_needed(&a);                                   \
        if (turn)                                                              \
            prof_turn_await(&a);                                               \
        MPI_Request real = MPI_REQUEST_NULL;                                   \
        rc = PMPI(X, __VA_ARGS__, win, &real);                                 \
        if (rc == MPI_SUCCESS && turn)                                         \
            rc = prof_turn_end(&a, PMPI_Wait(&real, MPI_STATUS_IGNORE), NULL); \
        return prof_leave(complete(rc, w->number, w, &real, request));         \
    } while (0)

int prof_Rput(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
              MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
              MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    struct prof_rma a = {.kind = ISP_ACCESS_PUT, ORIGIN, TARGET};
    ACCESS(Rput, a, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
           target_datatype);
}

int prof_Rget(enum isp_fn fn, const void *site, void *origin_addr, MPI_Count origin_count,
              MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
              MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    struct prof_rma a = {.kind = ISP_ACCESS_GET,
                         .result = origin_addr,
                         .result_count = origin_count,
                         .result_type = origin_datatype,
                         TARGET};
    ACCESS(Rget, a, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
           target_datatype);
}

int prof_Raccumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                     MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                     MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                     MPI_Request *request)
{
    struct prof_rma a = {.kind = ISP_ACCESS_ACCUMULATE, ORIGIN, TARGET, .op = op};
    ACCESS(Raccumulate, a, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
           target_datatype, op);
}

int prof_Rget_accumulate(enum isp_fn fn, const void *site, const void *origin_addr, MPI_Count origin_count,
                         MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                         MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                         MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                         MPI_Request *request)
{
    struct prof_rma a = {.kind = ISP_ACCESS_FETCH,
                         ORIGIN,
                         TARGET,
                         .op = op,
                         .result = result_addr,
                         .result_count = result_count,
                         .result_type = result_datatype};
    ACCESS(Rget_accumulate, a, origin_addr, origin_count, origin_datatype, result_addr, result_count,
           result_datatype, target_rank, target_disp, target_count, target_datatype, op);
}

/* ---- files ---- */

/* Waits for this rank's turn: the shared file pointer then moves in the same order in every run. */
static void take_turn(struct prof_file *f, MPI_Count count, MPI_Datatype datatype)
{
    struct isp_call call = {
        .op = ISP_OP_LOCK, .mode = ISP_LOCK_TURN, .comm = f->number, .peer = ISP_ANY_SOURCE};
    struct isp_result result;
    prof_fence(&call, &result);
    prof_file_tell_shared(f, count, datatype);
}

#define take_no_turn(f, count, datatype) (void)(f)

static enum prof_use use_of(enum isp_fn fn)
{
#define READS(X)              \
    case ISP_FN_MPI_File_##X: \
    case ISP_FN_MPI_File_##X##_c: return PROF_USE_WRITE
    switch (fn) {
        READS(iread);
        READS(iread_at);
        READS(iread_shared);
        READS(iread_all);
        READS(iread_at_all);
    default: return PROF_USE_READ;
    }
#undef READS
}

/* MPI has done it already, but the buffer is not the program's before it has asked. */
static int complete_file(int rc, struct prof_file *f, MPI_Request *real, MPI_Request *request,
                         const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    rc = complete(rc, f->number, NULL, real, request);
    if (rc != MPI_SUCCESS)
        return rc;
    struct prof_op *op = prof_op_of_request(*request);
    prof_file_note_pending(f, op, (struct prof_place){prof_current.fn, prof_current.site});
    prof_pending_begin(op, use_of(prof_current.fn), buf, count, datatype);
    return rc;
}

/* BEFORE: what the rank waits for first. */
#define FILE_REQUEST(X, BEFORE, ...)                                                   \
    do {                                                                               \
        if (!prof_enter(fn, site))                                                     \
            return PMPI(X, fh, __VA_ARGS__, request);                                  \
        struct prof_file *f = request ? prof_file_find(fh) : NULL;                     \
        if (!f)                                                                        \
            return prof_leave(PMPI(X, fh, __VA_ARGS__, request));                      \
        BEFORE(f, count, datatype);                                                    \
        MPI_Request real = MPI_REQUEST_NULL;                                           \
        int rc = PMPI(X, fh, __VA_ARGS__, &real);                                      \
        return prof_leave(complete_file(rc, f, &real, request, buf, count, datatype)); \
    } while (0)

#define FILE_AT(X, BEFORE, CONST)                                                                        \
    int prof_File_##X(enum isp_fn fn, const void *site, MPI_File fh, MPI_Offset offset, CONST void *buf, \
                      MPI_Count count, MPI_Datatype datatype, MPI_Request *request)                      \
    {                                                                                                    \
        FILE_REQUEST(File_##X, BEFORE, offset, buf, count, datatype);                                    \
    }

#define FILE_HERE(X, BEFORE, CONST)                                                                    \
    int prof_File_##X(enum isp_fn fn, const void *site, MPI_File fh, CONST void *buf, MPI_Count count, \
                      MPI_Datatype datatype, MPI_Request *request)                                     \
    {                                                                                                  \
        FILE_REQUEST(File_##X, BEFORE, buf, count, datatype);                                          \
    }

FILE_AT(iread_at, take_no_turn, )
FILE_AT(iwrite_at, take_no_turn, const)
FILE_HERE(iread, take_no_turn, )
FILE_HERE(iwrite, take_no_turn, const)
FILE_HERE(iread_shared, take_turn, )
FILE_HERE(iwrite_shared, take_turn, const)
/* ---- nonblocking collective accesses: issued when all members have called ---- */

struct access {
    enum isp_fn fn;
    MPI_File file;
    MPI_Offset offset;
};

static int issue_here(const struct access *a, struct prof_op *op)
{
    bool reads = isp_fn_base(a->fn) == ISP_FN_MPI_File_iread_all;
    int rc = reads ? PMPI_File_iread_all_c(a->file, op->buf, op->count, op->datatype, &op->real)
                   : PMPI_File_iwrite_all_c(a->file, op->buf, op->count, op->datatype, &op->real);
    prof_file_issued(prof_file_find(a->file), op->count, op->datatype);
    return rc;
}

int prof_file_issue(struct prof_op *op)
{
    const struct access *a = op->access;
    switch (isp_fn_base(a->fn)) {
    case ISP_FN_MPI_File_iread_at_all:
        return PMPI_File_iread_at_all_c(a->file, a->offset, op->buf, op->count, op->datatype, &op->real);
    case ISP_FN_MPI_File_iwrite_at_all:
        return PMPI_File_iwrite_at_all_c(a->file, a->offset, op->buf, op->count, op->datatype, &op->real);
    case ISP_FN_MPI_File_iread_all:
    case ISP_FN_MPI_File_iwrite_all: return issue_here(a, op);
    default: return MPI_ERR_INTERN;
    }
}

/* False: MPI has to say what is wrong with the call. */
static bool post_all(enum isp_fn fn, MPI_File fh, MPI_Offset offset, struct prof_envelope *e,
                     MPI_Request *request)
{
    struct prof_file *f = request ? prof_file_find(fh) : NULL;
    e->c = prof_comm_find(MPI_COMM_SELF);
    if (!f || !prof_envelope_check_buffer(e))
        return false;
    struct prof_op *op = prof_op_create(PROF_OP_FILE, e);
    struct access *a = prof_alloc(1, sizeof *a);
    *a = (struct access){.fn = fn, .file = fh, .offset = offset};
    op->access = a;
    prof_file_note_pending(f, op, (struct prof_place){prof_current.fn, prof_current.site});
    prof_pending_begin(op, use_of(fn), e->buf, e->count, e->datatype);
    struct isp_call call = {.op = ISP_OP_COLLECTIVE,
                            .mode = ISP_MAKE_NOTHING,
                            .flags = ISP_F_SLOT,
                            .handle = op->number,
                            .comm = f->number,
                            .root = ISP_NO_RANK};
    prof_record(&call);
    prof_ahead_issue(op, &call);
    prof_op_give(op, request);
    return true;
}

/* offset: the place in the file, or 0 if X has none; then comes X's own list of arguments up to the
 * buffer. */
#define FILE_ALL(X, offset, ...)                                                                        \
    do {                                                                                                \
        struct prof_envelope e = {.buf = (void *)(uintptr_t)buf, .count = count, .datatype = datatype}; \
        if (!prof_enter(fn, site))                                                                      \
            return PMPI(X, __VA_ARGS__, count, datatype, request);                                      \
        if (post_all(fn, fh, offset, &e, request))                                                      \
            return prof_leave(MPI_SUCCESS);                                                             \
        return prof_leave(PMPI(X, __VA_ARGS__, count, e.datatype, request));                            \
    } while (0)

#define FILE_ALL_AT(X, CONST)                                                                            \
    int prof_File_##X(enum isp_fn fn, const void *site, MPI_File fh, MPI_Offset offset, CONST void *buf, \
                      MPI_Count count, MPI_Datatype datatype, MPI_Request *request)                      \
    {                                                                                                    \
        FILE_ALL(File_##X, offset, fh, offset, buf);                                                     \
    }

#define FILE_ALL_HERE(X, CONST)                                                                        \
    int prof_File_##X(enum isp_fn fn, const void *site, MPI_File fh, CONST void *buf, MPI_Count count, \
                      MPI_Datatype datatype, MPI_Request *request)                                     \
    {                                                                                                  \
        FILE_ALL(File_##X, 0, fh, buf);                                                                \
    }

FILE_ALL_AT(iread_at_all, )
FILE_ALL_AT(iwrite_at_all, const)
FILE_ALL_HERE(iread_all, )
FILE_ALL_HERE(iwrite_all, const)

/* ---- by the shared file pointer, blocking ---- */

#define FILE_SHARED(X, CONST)                                                                          \
    int prof_File_##X(enum isp_fn fn, const void *site, MPI_File fh, CONST void *buf, MPI_Count count, \
                      MPI_Datatype datatype, MPI_Status *status)                                       \
    {                                                                                                  \
        if (!prof_enter(fn, site))                                                                     \
            return PMPI(File_##X, fh, buf, count, datatype, status);                                   \
        struct prof_file *f = prof_file_find(fh);                                                      \
        if (f)                                                                                         \
            take_turn(f, count, datatype);                                                             \
        return prof_leave(PMPI(File_##X, fh, buf, count, datatype, status));                           \
    }

FILE_SHARED(read_shared, )
FILE_SHARED(write_shared, const)
