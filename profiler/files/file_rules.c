/* SPDX-License-Identifier: BSD-3-Clause */
/* See file_rules.h. Functions are told apart by a table of what they do, from which the rules of the
 * chapter follow. */
#include "file_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/operations.h"
#include "files.h"
#include "types/shape.h"

/* ---- what a function does ---- */

#define READS PROF_FILE_READS
#define WRITES PROF_FILE_WRITES
#define DIRECT PROF_FILE_DIRECT
#define COLLECTIVE PROF_FILE_COLLECTIVE
#define BEGINS PROF_FILE_BEGINS
#define ENDS PROF_FILE_ENDS
#define SETTLED PROF_FILE_SETTLED
#define SHARED_SEEK PROF_FILE_SHARED_SEEK
#define REQUEST PROF_FILE_REQUEST

/* clang-format off */
#define BOTH(X) case ISP_FN_MPI_File_##X: case ISP_FN_MPI_File_##X##_c
#define USE(X, traits, buffer, count) \
    BOTH(X): return (struct prof_file_use){traits, buffer, count, ISP_FN_MPI_File_##X}
#define END(X) \
    case ISP_FN_MPI_File_##X##_end: return (struct prof_file_use){ENDS, 1, 0, ISP_FN_MPI_File_##X##_begin}
/* clang-format on */

static struct prof_file_use accesses_of(enum isp_fn fn)
{
    switch (fn) {
        USE(read_at, READS | DIRECT, 2, 3);
        USE(iread_at, READS | DIRECT | REQUEST, 2, 3);
        USE(write_at, WRITES | DIRECT, 2, 3);
        USE(iwrite_at, WRITES | DIRECT | REQUEST, 2, 3);
        USE(read, READS | DIRECT, 1, 2);
        USE(iread, READS | DIRECT | REQUEST, 1, 2);
        USE(write, WRITES | DIRECT, 1, 2);
        USE(iwrite, WRITES | DIRECT | REQUEST, 1, 2);
        USE(read_shared, READS, 1, 2);
        USE(iread_shared, READS | REQUEST, 1, 2);
        USE(write_shared, WRITES, 1, 2);
        USE(iwrite_shared, WRITES | REQUEST, 1, 2);
        USE(read_at_all, READS | DIRECT | COLLECTIVE, 2, 3);
        USE(iread_at_all, READS | DIRECT | COLLECTIVE | REQUEST, 2, 3);
        USE(write_at_all, WRITES | DIRECT | COLLECTIVE, 2, 3);
        USE(iwrite_at_all, WRITES | DIRECT | COLLECTIVE | REQUEST, 2, 3);
        USE(read_all, READS | DIRECT | COLLECTIVE, 1, 2);
        USE(iread_all, READS | DIRECT | COLLECTIVE | REQUEST, 1, 2);
        USE(write_all, WRITES | DIRECT | COLLECTIVE, 1, 2);
        USE(iwrite_all, WRITES | DIRECT | COLLECTIVE | REQUEST, 1, 2);
        USE(read_ordered, READS | COLLECTIVE, 1, 2);
        USE(write_ordered, WRITES | COLLECTIVE, 1, 2);
        USE(read_at_all_begin, READS | DIRECT | COLLECTIVE | BEGINS, 2, 3);
        USE(write_at_all_begin, WRITES | DIRECT | COLLECTIVE | BEGINS, 2, 3);
        USE(read_all_begin, READS | DIRECT | COLLECTIVE | BEGINS, 1, 2);
        USE(write_all_begin, WRITES | DIRECT | COLLECTIVE | BEGINS, 1, 2);
        USE(read_ordered_begin, READS | COLLECTIVE | BEGINS, 1, 2);
        USE(write_ordered_begin, WRITES | COLLECTIVE | BEGINS, 1, 2);
    default: return (struct prof_file_use){0};
    }
}

struct prof_file_use prof_file_use_of(enum isp_fn fn)
{
    switch (fn) {
        END(read_at_all);
        END(write_at_all);
        END(read_all);
        END(write_all);
        END(read_ordered);
        END(write_ordered);
    case ISP_FN_MPI_File_seek:
    case ISP_FN_MPI_File_get_position: return (struct prof_file_use){.traits = DIRECT};
    case ISP_FN_MPI_File_seek_shared:
    case ISP_FN_MPI_File_get_position_shared: return (struct prof_file_use){.traits = SHARED_SEEK};
    case ISP_FN_MPI_File_set_size: return (struct prof_file_use){.traits = WRITES | SETTLED | SHARED_SEEK};
    case ISP_FN_MPI_File_preallocate: return (struct prof_file_use){.traits = SHARED_SEEK};
    case ISP_FN_MPI_File_set_view:
    case ISP_FN_MPI_File_sync:
    case ISP_FN_MPI_File_close: return (struct prof_file_use){.traits = SETTLED};
    default: return accesses_of(fn);
    }
}

/* ---- saying what is wrong ---- */

static bool wrong(struct prof_file_wrong *w, int code, const struct prof_place *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool wrong(struct prof_file_wrong *w, int code, const struct prof_place *at, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(w->text, sizeof w->text, format, values);
    va_end(values);
    w->code = code;
    w->at = *at;
    return false;
}

/* ---- how it was opened (section 14.2.1) ---- */

static bool check_mode(const struct prof_file_state *s, const struct prof_file_use *u,
                       struct prof_file_wrong *w)
{
    if (u->traits & READS && s->amode & MPI_MODE_WRONLY)
        return wrong(w, MPI_ERR_ACCESS, &s->opened,
                     "the file may not be read: %%0 has opened it with MPI_MODE_WRONLY");
    if (u->traits & WRITES && s->amode & MPI_MODE_RDONLY)
        return wrong(w, MPI_ERR_READ_ONLY, &s->opened,
                     "the file may not be written or resized: %%0 has opened it with MPI_MODE_RDONLY");
    if (u->traits & (DIRECT | SHARED_SEEK) && s->amode & MPI_MODE_SEQUENTIAL)
        return wrong(w, MPI_ERR_UNSUPPORTED_OPERATION, &s->opened,
                     "the file may be accessed by the shared file pointer only: %%0 has opened it with "
                     "MPI_MODE_SEQUENTIAL");
    return true;
}

/* ---- split collectives (section 14.4.5) ---- */

static bool check_end(struct prof_file_state *s, const struct prof_file_use *u, const void *buffer,
                      struct prof_file_wrong *w)
{
    if (s->split_told)
        return true;
    s->split_told = true;
    if (!s->split.fn)
        return wrong(w, MPI_ERR_IO, &s->opened,
                     "no split collective access was begun on this file, which %%0 has opened");
    if (s->split_begin != u->begin)
        return wrong(w, MPI_ERR_IO, &s->split, "it cannot end what %%0 has begun");
    if (s->split_buffer != buffer)
        return wrong(w, MPI_ERR_BUFFER, &s->split, "its buffer is %p, but %%0 has begun with %p", buffer,
                     s->split_buffer);
    s->split.fn = ISP_FN_NONE;
    s->split_told = false;
    return true;
}

static bool check_split(struct prof_file_state *s, const struct prof_file_use *u, struct prof_file_wrong *w)
{
    if (!s->split.fn || s->split_told || !(u->traits & (COLLECTIVE | SETTLED)))
        return true;
    s->split_told = true;
    return wrong(w, MPI_ERR_IO, &s->split,
                 u->traits & BEGINS
                     ? "a second split collective access of the same file: that of %%0 has not ended"
                     : "the split collective access that %%0 has begun on this file has not ended");
}

/* ---- accesses with a request ---- */

static bool is_pending(const struct prof_file *f, const struct prof_file_pending *p)
{
    const struct prof_op *op = prof_op_at(p->op);
    return op && op->file == f->number && !op->consumed;
}

static void forget_complete(struct prof_file *f)
{
    struct prof_file_state *s = &f->state;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_pending; i++)
        if (is_pending(f, &s->pending[i]))
            s->pending[n++] = s->pending[i];
    s->n_pending = n;
}

void prof_file_note_pending(struct prof_file *f, struct prof_op *op, struct prof_place here)
{
    op->file = f->number;
    struct prof_file_state *s = &f->state;
    if (s->n_pending == s->room) {
        forget_complete(f);
        if (2 * s->n_pending >= s->room) {
            s->room = s->room ? 2 * s->room : 8;
            s->pending = prof_grow(s->pending, s->room, sizeof *s->pending);
        }
    }
    s->pending[s->n_pending++] = (struct prof_file_pending){op->number, here};
}

bool prof_file_is_settled(struct prof_file *f, enum isp_fn fn, struct prof_file_wrong *w)
{
    struct prof_file_use u = prof_file_use_of(fn);
    if (!(u.traits & SETTLED))
        return true;
    if (!check_split(&f->state, &u, w))
        return false;
    forget_complete(f);
    if (!f->state.n_pending)
        return true;
    return wrong(w, MPI_ERR_IO, &f->state.pending[0].at,
                 "the access that %%0 has started on this file is not complete (MPI_Wait)");
}

void prof_file_state_finish(struct prof_file_state *state) { free(state->pending); }

/* ---- views (section 14.3) ---- */

static bool type_bytes(MPI_Datatype type, MPI_Count *bytes)
{
    return type != MPI_DATATYPE_NULL && PMPI_Type_size_x(type, bytes) == MPI_SUCCESS &&
           *bytes != MPI_UNDEFINED;
}

static bool check_view(struct prof_file_state *s, const int64_t *arguments, struct prof_file_wrong *w)
{
    MPI_Count etype_bytes, bytes, low, extent;
    MPI_Datatype etype = (MPI_Datatype)arguments[2], filetype = (MPI_Datatype)arguments[3];
    if (!type_bytes(etype, &etype_bytes) || !type_bytes(filetype, &bytes))
        return true;
    if (etype_bytes > 0 && bytes % etype_bytes)
        return wrong(w, MPI_ERR_IO, &s->opened,
                     "filetype has %lld bytes of data, which is no multiple of the %lld of etype",
                     (long long)bytes, (long long)etype_bytes);
    if (PMPI_Type_get_true_extent_x(filetype, &low, &extent) == MPI_SUCCESS && bytes > 0 && low < 0)
        return wrong(w, MPI_ERR_IO, &s->opened,
                     "filetype has data at displacement %lld: none may be negative", (long long)low);
    const struct prof_shape *shape = s->amode & MPI_MODE_RDONLY ? NULL : prof_shape_of_type(filetype);
    struct prof_run common;
    bool overlaps = shape && prof_shape_meets_itself(shape, 0, &common);
    prof_shape_drop(shape);
    if (overlaps)
        return wrong(w, MPI_ERR_IO, &s->opened,
                     "filetype has byte %llu twice, and %%0 has opened the file for writing",
                     (unsigned long long)common.at);
    return true;
}

/* A whole number of etypes is read or written (section 14.4.1). */
static bool check_amount(const struct prof_file_state *s, const struct prof_file_use *u,
                         const int64_t *arguments, struct prof_file_wrong *w)
{
    MPI_Count bytes;
    if (!u->count || s->etype_bytes <= 1 || !type_bytes((MPI_Datatype)arguments[u->count + 1], &bytes))
        return true;
    MPI_Count all = bytes * (MPI_Count)arguments[u->count];
    if (all % s->etype_bytes == 0)
        return true;
    return wrong(w, MPI_ERR_IO, &s->opened,
                 "%lld bytes are no whole number of the view's etype, which has %lld bytes", (long long)all,
                 (long long)s->etype_bytes);
}

/* ---- all of it ---- */

bool prof_file_allows(struct prof_file *file, enum isp_fn fn, const int64_t *arguments,
                      struct prof_file_wrong *w)
{
    struct prof_file_state *s = &file->state;
    struct prof_file_use u = prof_file_use_of(fn);
    const void *buffer = u.buffer ? (const void *)(intptr_t)arguments[u.buffer] : NULL;
    if (u.traits & ENDS)
        return check_end(s, &u, buffer, w);
    if (!check_mode(s, &u, w) || !check_amount(s, &u, arguments, w))
        return false;
    if (u.traits & COLLECTIVE && !check_split(s, &u, w))
        return false;
    if (fn == ISP_FN_MPI_File_set_view && !check_view(s, arguments, w))
        return false;
    if (u.traits & BEGINS) {
        s->split = (struct prof_place){fn, NULL}; /* its wrapper knows the site */
        s->split_begin = u.begin;
        s->split_buffer = buffer;
    }
    return true;
}

/* ---- handles that were closed ---- */

enum { CLOSED = 32 }; /* the last ones: their memory may be another file's by now */

static struct closed {
    MPI_File handle;
    struct prof_place at;
} closed[CLOSED];
static unsigned n_closed;

void prof_file_note_closed(MPI_File handle, struct prof_place here)
{
    closed[n_closed++ % CLOSED] = (struct closed){handle, here};
}

bool prof_file_was_closed(MPI_File handle, struct prof_place *at)
{
    unsigned n = n_closed < CLOSED ? n_closed : CLOSED;
    for (unsigned i = 1; i <= n; i++) {
        const struct closed *c = &closed[(n_closed - i) % CLOSED];
        if (handle != MPI_FILE_NULL && c->handle != handle)
            continue;
        *at = c->at; /* MPI_FILE_NULL: the last one; closing leaves it in the program's variable */
        return true;
    }
    return false;
}

/* ---- what all members must give alike ---- */

static int64_t common_value(enum isp_fn fn, const int64_t *arguments)
{
    switch (fn) {
    case ISP_FN_MPI_File_open: return arguments[2];
    case ISP_FN_MPI_File_set_size:
    case ISP_FN_MPI_File_preallocate:
    case ISP_FN_MPI_File_seek_shared: return arguments[1];
    case ISP_FN_MPI_File_set_atomicity: return arguments[1] != 0;
    default: return 0;
    }
}

static __thread int64_t common __attribute__((tls_model("initial-exec")));

void prof_file_keep_common(enum isp_fn fn, const int64_t *arguments) { common = common_value(fn, arguments); }

int64_t prof_file_take_common(void)
{
    int64_t value = common;
    common = 0;
    return value;
}
