/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a file (MPI-4.0, sections 14.2 and 14.7): see files.h. Opening one is a collective on the
 * parent communicator, closing it one on the file; MPI is called after the go-ahead, when all members are
 * there. A file that cannot be opened takes its number with it.
 */
#include "files.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/ahead.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "prof_calls.h"
#include "tables/communicators.h"
#include "tables/handles.h"

static struct prof_file *files;

struct prof_file *prof_file_find(MPI_File file)
{
    struct prof_file *f = files;
    while (f && f->handle != file)
        f = f->next;
    return f;
}

/* A file's handle is a pointer; handles.h counts numbers. */
static int tracked(const struct prof_file *file) { return PROF_TRACKED(file->number); }

static struct prof_file *add(MPI_File handle, int32_t number, int amode)
{
    struct prof_file *f = prof_alloc(1, sizeof *f);
    *f = (struct prof_file){.handle = handle, .number = number, .next = files};
    f->state = (struct prof_file_state){
        .opened = {prof_current.fn, prof_current.site}, .amode = amode, .etype_bytes = 1};
    files = f;
    prof_handle_created(PROF_HANDLE_FILE, tracked(f), prof_current.fn, prof_current.site);
    return f;
}

static void match(int32_t comm, enum isp_make make, struct isp_result *result)
{
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE, .mode = (uint8_t)make, .comm = comm, .root = ISP_NO_RANK};
    int64_t value = prof_file_take_common();
    call.color = (int32_t)value;
    call.key = (int32_t)(value >> 32);
    prof_fence(&call, result);
}

void prof_file_match(const struct prof_file *file)
{
    struct isp_result result;
    match(file->number, ISP_MAKE_NOTHING, &result);
}

int prof_File_open(enum isp_fn fn, const void *site, MPI_Comm comm, const char *filename, int amode,
                   MPI_Info info, MPI_File *fh)
{
    struct prof_comm *c;
    if (!prof_enter(fn, site))
        return PMPI_File_open(comm, filename, amode, info, fh);
    if (!fh || !(c = prof_comm_use(&comm)))
        return prof_leave(PMPI_File_open(comm, filename, amode, info, fh));
    struct isp_result result;
    bool was_there = prof_file_is_there(filename); /* now: nobody opens it before all are here */
    match(c->number, ISP_MAKE_SAME, &result);
    prof_ahead_meeting(result.new_comm, c);
    MPI_Comm ranks = prof_file_ranks(comm);
    int rc = PMPI_File_open(comm, filename, amode, info, fh);
    /* an error handler of the program's may say that all is well */
    bool open = rc == MPI_SUCCESS && *fh != MPI_FILE_NULL;
    if (open)
        prof_file_tell_open(add(*fh, result.new_comm, amode), ranks, filename, amode, was_there);
    else if (ranks != MPI_COMM_NULL)
        PMPI_Comm_free(&ranks);
    /* MPICH leaves what was there, which its mpi_f08 then follows */
    if (rc != MPI_SUCCESS && !prof_file_find(*fh))
        *fh = MPI_FILE_NULL;
    if (rc != MPI_SUCCESS)
        prof_file_tell_not_open(filename, amode);
    return prof_leave(rc);
}

static void check_settled(struct prof_file *f, enum isp_fn fn, const void *site)
{
    struct prof_file_wrong wrong;
    if (!prof_file_is_settled(f, fn, &wrong))
        prof_finding_tell(&(struct prof_finding){.rule = ISP_RULE_IO_MISUSE,
                                                 .at = {fn, site},
                                                 .text = wrong.text,
                                                 .more = &wrong.at,
                                                 .n_more = 1});
}

static void forget(struct prof_file *f)
{
    struct prof_file **at = &files;
    while (*at != f)
        at = &(*at)->next;
    *at = f->next;
    prof_handle_freed(PROF_HANDLE_FILE, tracked(f));
    prof_file_note_closed(f->handle, (struct prof_place){prof_current.fn, prof_current.site});
    prof_ahead_no_meeting(f->number);
    prof_file_state_finish(&f->state);
    prof_file_identity_finish(&f->identity);
    free(f);
}

static int close_(MPI_File *fh)
{
    struct prof_file *f = prof_file_find(*fh);
    int rc = PMPI_File_close(fh);
    if (rc == MPI_SUCCESS && f)
        forget(f);
    return rc;
}

int prof_File_close(enum isp_fn fn, const void *site, MPI_File *fh)
{
    if (fh && prof_depth > 0) /* in a callback of the program: libraries close their files in MPI_Finalize */
        return close_(fh);
    if (!fh || !prof_enter(fn, site))
        return PMPI_File_close(fh);
    struct prof_file *f = prof_file_find(*fh);
    struct isp_result result;
    if (f)
        check_settled(f, fn, site);
    if (f)
        match(f->number, ISP_MAKE_FREE, &result);
    return prof_leave(close_(fh));
}

/* In a wrapper: that MPI looks for the file first says nothing about the program (written.c). */
int prof_File_delete(enum isp_fn fn, const void *site, const char *filename, MPI_Info info)
{
    if (!prof_enter(fn, site))
        return PMPI_File_delete(filename, info);
    return prof_leave(PMPI_File_delete(filename, info));
}

bool prof_file_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                                MPI_File fh)
{
    if (!prof_collective_enter(collective, fn, site))
        return true;
    struct prof_file *f = prof_file_find(fh);
    if (f && f->state.split.fn == fn)
        f->state.split.site = site;
    if (f)
        check_settled(f, fn, site);
    if (!f)
        return true;
    prof_file_match(f);
    prof_file_tell_matched(f, fn, site);
    return true;
}

/* ---- error handlers ----
 * Files return their errors unless the program wants something else. If it wants MPI_ERRORS_ARE_FATAL, ours
 * stands in for that, as for communicators (errors.c). */

static MPI_Errhandler ours = MPI_ERRHANDLER_NULL;

static void fatal(MPI_File *file, int *code, ...)
{
    (void)file;
    prof_error_fatal(*code);
}

bool prof_file_is_fatal(MPI_File file)
{
    MPI_Errhandler handler;
    if (PMPI_File_get_errhandler(file, &handler) != MPI_SUCCESS)
        return false;
    if (handler == MPI_ERRORS_RETURN)
        return false;
    if (prof_errors_is_default(handler))
        return true;
    bool fatal = ours != MPI_ERRHANDLER_NULL && handler == ours;
    PMPI_Errhandler_free(&handler); /* only the reference that we were given */
    return fatal;
}

int prof_File_get_errhandler(enum isp_fn fn, const void *site, MPI_File file, MPI_Errhandler *errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_File_get_errhandler(file, errhandler);
    int rc = PMPI_File_get_errhandler(file, errhandler);
    if (rc == MPI_SUCCESS)
        prof_errors_got(ours != MPI_ERRHANDLER_NULL && *errhandler == ours, errhandler, fn, site);
    return prof_leave(rc);
}

int prof_File_set_errhandler(enum isp_fn fn, const void *site, MPI_File file, MPI_Errhandler errhandler)
{
    if (!prof_enter(fn, site))
        return PMPI_File_set_errhandler(file, errhandler);
    bool default_ = prof_errors_is_default(errhandler);
    if (default_ && ours == MPI_ERRHANDLER_NULL)
        PMPI_File_create_errhandler(fatal, &ours);
    return prof_leave(PMPI_File_set_errhandler(file, default_ ? ours : errhandler));
}
