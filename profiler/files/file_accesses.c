/* SPDX-License-Identifier: BSD-3-Clause */
/* See file_accesses.h. All is told before the call: MPI moves the file pointers. */
#include "file_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "files.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "outside/written.h"
#include "threads/thread.h"
#include "types/types.h"

#pragma weak prof_written_identify
#pragma weak prof_written_tell

enum { LONGEST = 256 /* bytes of a message; longer ones are never repeats */ };

/* ---- messages ---- */

/* A rank that polls a file does the same again and again, and nobody learns anything from it. */
static bool is_repeat(const struct isp_buf *payload)
{
    static __thread struct {
        uint64_t records;
        size_t size;
        uint8_t data[LONGEST];
    } last;
    uint64_t records = prof_records();
    bool is = last.size == payload->size && last.records == records &&
              memcmp(last.data, payload->data, last.size) == 0;
    last.records = records;
    last.size = payload->size <= LONGEST ? payload->size : 0;
    memcpy(last.data, payload->data, last.size);
    return is;
}

/* -1: not known. */
static int64_t size_of(const struct prof_file *f)
{
    MPI_Offset size;
    return PMPI_File_get_size(f->handle, &size) == MPI_SUCCESS ? size : -1;
}

/* What a file of this size says of its size: who writes its last byte, or behind it, might change that. Who
 * looks from `low` on learns only whether it ends before that. */
static struct isp_file_run end_run(int64_t size, uint64_t low)
{
    uint64_t last = size > 0 ? (uint64_t)size - 1 : 0, from = low > last ? low : last;
    return (struct isp_file_run){from, (uint64_t)INT64_MAX - from, 1, 0};
}

static void tell(const struct prof_file *f, struct isp_file_access *a, enum isp_fn fn, const void *site)
{
    static __thread struct isp_buf payload;
    a->fn = (uint16_t)fn;
    a->site = prof_site_number(site); /* may put a frame of its own */
    a->number = f->number;
    a->device = f->identity.device;
    a->inode = f->identity.inode;
    a->name = f->identity.name;
    a->atomic = f->identity.atomic;
    a->linked = f->identity.linked;
    payload.size = 0;
    isp_put_file_access(&payload, a);
    if (is_repeat(&payload))
        return;
    isp_put_bytes(prof_link_begin(ISP_MSG_FILE_ACCESS), payload.data, payload.size);
    prof_link_end();
}

static void tell_bare(const struct prof_file *f, enum isp_file_kind kind, enum isp_fn fn, const void *site)
{
    tell(f, &(struct isp_file_access){.kind = (uint8_t)kind}, fn, site);
}

static void tell_size(const struct prof_file *f, enum isp_fn fn, const void *site)
{
    struct isp_file_run run = end_run(size_of(f), 0);
    tell(f, &(struct isp_file_access){.kind = ISP_FILE_SIZE, .n = 1, .runs = &run}, fn, site);
}

/* There is nothing of [from, to) that was there before. */
static void tell_new(const struct prof_file *f, int64_t from, int64_t to, enum isp_fn fn, const void *site)
{
    struct isp_file_run run = {(uint64_t)from, (uint64_t)(to - from), 1, 0};
    bool collective = fn != ISP_FN_MPI_File_open;
    if (from >= 0 && from < to)
        tell(f, &(struct isp_file_access){.kind = ISP_FILE_CUT, .due = collective, .n = 1, .runs = &run}, fn,
             site);
}

/* It conflicts with accesses to what is between the old and the new size (MPI-4.0, section 14.2.4). */
static void tell_set_size(const struct prof_file *f, int64_t size, enum isp_fn fn, const void *site)
{
    int64_t old = size_of(f);
    tell_new(f, old >= 0 && old < size ? old : size, INT64_MAX, fn, site);
}

/* ---- accesses ---- */

static bool bytes_of(MPI_Count count, MPI_Datatype datatype, int64_t *bytes)
{
    MPI_Count size;
    struct prof_type *entry;
    return count >= 0 && prof_type_find(datatype, &size, &entry) &&
           !__builtin_mul_overflow(count, size, bytes);
}

/* What reads beyond the end of the file learns where that is. */
static void add_end(const struct prof_file *f, struct isp_file_run *runs, struct isp_file_access *a)
{
    int64_t size = size_of(f);
    uint64_t end = 0, furthest = 0, low = UINT64_MAX;
    for (uint32_t i = 0; i < a->n; i++) {
        furthest = isp_file_run_end(&runs[i], &end) && end > furthest ? end : furthest;
        low = runs[i].at < low ? runs[i].at : low;
    }
    if (size >= 0 && furthest <= (uint64_t)size)
        return;
    if (a->n == ISP_FILE_RUNS_MAX)
        a->unknown = true;
    a->n = a->unknown ? 0 : a->n + 1;
    runs[a->n ? a->n - 1 : 0] = end_run(size, low);
}

/* Data bytes of the view; from -1: not known. */
static void tell_bytes(const struct prof_file *f, unsigned traits, int64_t from, int64_t bytes,
                       enum isp_fn fn, const void *site)
{
    static __thread struct isp_file_run *runs;
    int64_t to;
    runs = runs ? runs : prof_alloc(ISP_FILE_RUNS_MAX, sizeof *runs);
    struct isp_file_access a = {.kind = traits & PROF_FILE_READS ? ISP_FILE_READ : ISP_FILE_WRITE,
                                .runs = runs,
                                .lasts = traits & (PROF_FILE_BEGINS | PROF_FILE_REQUEST),
                                .turn = traits & PROF_FILE_TURN,
                                .due = traits & PROF_FILE_COLLECTIVE};
    a.unknown =
        __builtin_add_overflow(from, bytes, &to) || !prof_file_bytes(&f->identity.view, from, to, runs, &a.n);
    if (a.unknown)
        a.n = 0;
    if ((traits & PROF_FILE_READS) && !a.unknown)
        add_end(f, runs, &a);
    if (bytes > 0)
        tell(f, &a, fn, site);
}

/* By an offset, or by the individual file pointer. */
static void tell_direct(struct prof_file *f, const struct prof_file_use *u, enum isp_fn fn, const void *site,
                        const int64_t *arguments)
{
    int64_t bytes, from;
    MPI_Offset offset = arguments[1];
    bool here = u->buffer == 1;
    if (!bytes_of(arguments[u->count], (MPI_Datatype)arguments[u->count + 1], &bytes))
        return;
    if ((here && PMPI_File_get_position(f->handle, &offset) != MPI_SUCCESS) || offset < 0 ||
        __builtin_mul_overflow(offset, f->state.etype_bytes, &from) ||
        (here && __builtin_add_overflow(from, f->identity.ahead, &from)))
        from = -1; /* not known */
    tell_bytes(f, u->traits, from, bytes, fn, site);
    if (here && (u->traits & PROF_FILE_REQUEST) && (u->traits & PROF_FILE_COLLECTIVE))
        f->identity.ahead += bytes;
}

static void take_ordered(struct prof_file *f, const struct prof_file_use *u, const int64_t *arguments)
{
    if (!bytes_of(arguments[u->count], (MPI_Datatype)arguments[u->count + 1], &f->identity.ordered))
        f->identity.ordered = -1;
}

/* Behind what the ranks before this one access (MPI-4.0, section 14.4.4). Nobody moves the pointer before
 * rank 0 has looked at it. -1: not known. */
static int64_t ordered_from(const struct prof_file *f)
{
    MPI_Offset offset;
    int rank = 0;
    int64_t before[2] = {0, 0}, own = f->identity.ordered; /* bytes, and how many do not know theirs */
    if (f->identity.ranks != MPI_COMM_NULL)
        PMPI_Comm_rank(f->identity.ranks, &rank);
    if (rank == 0 && (PMPI_File_get_position_shared(f->handle, &offset) != MPI_SUCCESS ||
                      __builtin_mul_overflow(offset, f->state.etype_bytes, &before[0])))
        before[1] = 1;
    int64_t behind[2] = {before[0] + (own > 0 ? own : 0), before[1] + (own < 0)};
    if (f->identity.ranks != MPI_COMM_NULL)
        PMPI_Exscan(behind, before, 2, MPI_INT64_T, MPI_SUM, f->identity.ranks); /* leaves rank 0's alone */
    return before[1] ? -1 : before[0];
}

void prof_file_tell_matched(struct prof_file *f, enum isp_fn fn, const void *site)
{
    struct prof_file_use u = prof_file_use_of(fn);
    if (!(u.traits & PROF_FILE_COLLECTIVE) || (u.traits & PROF_FILE_DIRECT) || !u.buffer)
        return;
    int64_t from = ordered_from(f), bytes = f->identity.ordered;
    f->identity.ordered = -1;
    if (bytes > 0)
        tell_bytes(f, (u.traits & ~PROF_FILE_COLLECTIVE) | PROF_FILE_TURN, from, bytes, fn, site);
}

void prof_file_identity_finish(struct prof_file_identity *identity)
{
    prof_file_view_finish(&identity->view);
    if (identity->ranks != MPI_COMM_NULL)
        PMPI_Comm_free(&identity->ranks);
}

void prof_file_issued(struct prof_file *f, MPI_Count count, MPI_Datatype datatype)
{
    int64_t bytes;
    if (f && bytes_of(count, datatype, &bytes))
        f->identity.ahead -= bytes;
}

void prof_file_tell_shared(struct prof_file *f, MPI_Count count, MPI_Datatype datatype)
{
    int64_t bytes, from;
    MPI_Offset offset;
    unsigned traits = prof_file_use_of(prof_current.fn).traits | PROF_FILE_TURN;
    if (bytes_of(count, datatype, &bytes) &&
        PMPI_File_get_position_shared(f->handle, &offset) == MPI_SUCCESS &&
        !__builtin_mul_overflow(offset, f->state.etype_bytes, &from))
        tell_bytes(f, traits, from, bytes, prof_current.fn, prof_current.site);
}

static void take_view(struct prof_file *f, const int64_t *arguments)
{
    MPI_Count size;
    struct prof_type *entry;
    prof_file_view_finish(&f->identity.view);
    f->identity.view =
        prof_file_view_of(arguments[1], (MPI_Datatype)arguments[3], (const char *)(intptr_t)arguments[4]);
    if (prof_type_find((MPI_Datatype)arguments[2], &size, &entry))
        f->state.etype_bytes = size;
}

static void look(struct prof_file *f, enum isp_fn fn, const void *site, const int64_t *arguments)
{
    struct prof_file_use u = prof_file_use_of(fn);
    if (fn == ISP_FN_MPI_File_set_view)
        take_view(f, arguments);
    else if (fn == ISP_FN_MPI_File_set_atomicity)
        f->identity.atomic = arguments[1];
    else if (fn == ISP_FN_MPI_File_set_size)
        tell_set_size(f, arguments[1], fn, site);
    else if (fn == ISP_FN_MPI_File_preallocate) /* the same as writing undefined data */
        tell_new(f, size_of(f), arguments[1], fn, site);
    else if (fn == ISP_FN_MPI_File_get_size || (fn == ISP_FN_MPI_File_seek && arguments[2] == MPI_SEEK_END))
        tell_size(f, fn, site);
    else if (u.traits & PROF_FILE_ENDS)
        tell_bare(f, ISP_FILE_END, fn, site);
    else if ((u.traits & PROF_FILE_DIRECT) && u.buffer)
        tell_direct(f, &u, fn, site, arguments);
    else if ((u.traits & PROF_FILE_COLLECTIVE) && u.buffer)
        take_ordered(f, &u, arguments);
}

void prof_file_tell(enum isp_fn fn, const void *site, const int64_t *arguments)
{
    if (prof_phase != PROF_RUNNING)
        return;
    bool locks = prof_threads_at_once; /* the tables are under the lock of the calls that steer the run */
    if (locks)
        prof_threads_enter();
    prof_depth++;
    struct prof_file *f = prof_file_find((MPI_File)(intptr_t)arguments[0]);
    if (f)
        look(f, fn, site, arguments);
    prof_depth--;
    if (locks)
        prof_threads_leave();
}

/* ---- opening ---- */

/* ROMIO takes "ufs:name" for a file of that file system. */
static bool identify(const char *filename, struct isp_file *file)
{
    const char *colon = strchr(filename, ':');
    return prof_written_identify &&
           (prof_written_identify(filename, file) || (colon && prof_written_identify(colon + 1, file)));
}

bool prof_file_is_there(const char *filename)
{
    struct isp_file file = {0};
    return !filename || identify(filename, &file);
}

/* Not a copy, which would call the program's attribute functions. */
MPI_Comm prof_file_ranks(MPI_Comm comm)
{
    MPI_Comm ranks = MPI_COMM_NULL;
    int rank, size;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    if (size > 1)
        PMPI_Comm_split(comm, 0, rank, &ranks);
    return ranks;
}

void prof_file_tell_open(struct prof_file *f, MPI_Comm ranks, const char *filename, int amode, bool was_there)
{
    struct isp_file file = {0};
    bool known = filename && identify(filename, &file);
    f->identity = (struct prof_file_identity){.device = file.device,
                                              .inode = file.inode,
                                              .name = file.name,
                                              .linked = file.linked,
                                              .ranks = ranks,
                                              .ordered = -1,
                                              .view = prof_file_view_of(0, MPI_BYTE, "native")};
    if (!known)
        return;
    file.what = ISP_FILE_LOOKS | (amode & MPI_MODE_RDONLY ? 0 : ISP_FILE_PERHAPS);
    file.what |= (was_there ? ISP_FILE_THERE : 0) | (amode & MPI_MODE_CREATE ? ISP_FILE_MADE : 0);
    prof_written_tell(&file);
    if (amode & MPI_MODE_EXCL)
        tell_new(f, 0, INT64_MAX, prof_current.fn, prof_current.site);
    if (amode & MPI_MODE_APPEND)
        tell_size(f, prof_current.fn, prof_current.site);
}

/* There is none, or there is one that must not be. */
void prof_file_tell_not_open(const char *filename, int amode)
{
    struct isp_file file = {.what = ISP_FILE_LOOKS};
    if (!filename || !prof_written_identify || ((amode & MPI_MODE_CREATE) && !(amode & MPI_MODE_EXCL)))
        return;
    identify(filename, &file);
    if (file.name)
        prof_written_tell(&file);
}
