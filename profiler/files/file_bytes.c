/* SPDX-License-Identifier: BSD-3-Clause */
/* See file_bytes.h. The data of a filetype is in ascending order (section 14.1.1), as in its shape. */
#include "file_bytes.h"

#include <string.h>

#include "types/shape.h"
#include "types/types.h"

struct runs {
    struct isp_file_run *all;
    uint32_t n;
    bool full;
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void put(struct runs *r, struct isp_file_run run)
{
    r->full = r->full || r->n == ISP_FILE_RUNS_MAX;
    if (!r->full)
        r->all[r->n++] = run;
}

/* Those from number `from` on are there `n` times. */
static void repeat(struct runs *r, uint32_t from, int64_t times, int64_t apart)
{
    uint64_t n = (uint64_t)times, stride = (uint64_t)apart;
    uint32_t end = r->n;
    for (uint32_t i = from; i < end; i++) {
        struct isp_file_run *run = &r->all[i], one = *run;
        if (one.n == 1 && one.length == stride) {
            run->length *= n;
        } else if (one.n == 1) {
            run->n = n;
            run->stride = stride;
        } else if (one.n * one.stride == stride) {
            run->n *= n;
        } else { /* two repetitions, one of which is written out */
            bool outer = n < one.n;
            uint64_t each = outer ? stride : one.stride, more = outer ? n : one.n;
            *run = outer ? one : (struct isp_file_run){one.at, one.length, n, stride};
            for (uint64_t k = 1; k < more && !r->full; k++) {
                struct isp_file_run next = r->all[i];
                next.at += k * each;
                put(r, next);
            }
        }
    }
}

static void emit(struct runs *r, const struct prof_shape *shape, int64_t at, int64_t from, int64_t to);

/* Data bytes [from, to) of endless repetitions. */
static void emit_repeated(struct runs *r, const struct prof_shape *child, int64_t at, int64_t stride,
                          int64_t from, int64_t to)
{
    int64_t bytes = child->bytes, first = from / bytes, last = to / bytes;
    if (from % bytes) {
        emit(r, child, at + first * stride, from % bytes, least(bytes, to - first * bytes));
        first++;
    }
    if (first < last) {
        uint32_t n = r->n;
        emit(r, child, at + first * stride, 0, bytes);
        if (last - first > 1)
            repeat(r, n, last - first, stride);
    }
    if (last >= first && to % bytes)
        emit(r, child, at + last * stride, 0, to % bytes);
}

/* Data bytes [from, to) of the shape at `at`. */
static void emit(struct runs *r, const struct prof_shape *s, int64_t at, int64_t from, int64_t to)
{
    if (from >= to || r->full)
        return;
    if (s->kind == PROF_SHAPE_RUN)
        put(r, (struct isp_file_run){(uint64_t)(at + s->low + from), (uint64_t)(to - from), 1, 0});
    if (s->kind == PROF_SHAPE_REPEAT)
        emit_repeated(r, s->child, at + s->offset, s->stride, from, to);
    for (int64_t i = 0; s->kind == PROF_SHAPE_PARTS && i < s->n && to > 0; i++) {
        const struct prof_shape_part *part = &s->parts[i];
        int64_t bytes = part->shape->bytes;
        emit(r, part->shape, at + part->offset, from, least(to, bytes));
        from = from > bytes ? from - bytes : 0;
        to -= bytes;
    }
}

/* What follows without a hole is one run. */
static uint32_t join(struct isp_file_run *runs, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct isp_file_run *last = kept ? &runs[kept - 1] : NULL;
        if (last && last->n == 1 && runs[i].n == 1 && last->at + last->length == runs[i].at)
            last->length += runs[i].length;
        else
            runs[kept++] = runs[i];
    }
    return kept;
}

struct prof_file_view prof_file_view_of(MPI_Offset disp, MPI_Datatype filetype, const char *datarep)
{
    MPI_Count low, extent, size;
    struct prof_type *entry;
    struct prof_file_view view = {.disp = disp};
    if (disp < 0 || !datarep || strcmp(datarep, "native") != 0 || filetype == MPI_DATATYPE_NULL ||
        prof_type_is_freed(filetype) || !prof_type_find(filetype, &size, &entry) ||
        PMPI_Type_get_extent_x(filetype, &low, &extent) != MPI_SUCCESS)
        return view;
    view.extent = extent;
    view.shape = prof_shape_of_type(filetype);
    return view;
}

void prof_file_view_finish(struct prof_file_view *view)
{
    prof_shape_drop(view->shape);
    view->shape = NULL;
}

bool prof_file_bytes(const struct prof_file_view *v, int64_t from, int64_t to, struct isp_file_run *runs,
                     uint32_t *n)
{
    struct runs r = {.all = runs};
    int64_t end;
    *n = 0;
    if (from == to)
        return true;
    if (from < 0 || to < from || !v->shape || v->shape->bytes <= 0 || v->shape->low < 0 || v->extent <= 0 ||
        __builtin_mul_overflow(to / v->shape->bytes + 1, v->extent, &end) ||
        __builtin_add_overflow(end, v->disp, &end) || __builtin_add_overflow(end, v->shape->high, &end))
        return false;
    emit_repeated(&r, v->shape, v->disp, v->extent, from, to);
    *n = join(runs, r.n);
    return !r.full;
}
