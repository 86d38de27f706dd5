/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See shape.h. Making keeps shapes small: what follows without a hole is one run, and a repetition of a
 * repetition that goes on at the same stride is one. Asking never expands a repetition whose items cannot
 * matter: by its stride it is known which of them lie in a range.
 */
#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { STEPS = 1000000 };

/* ---- making ---- */

const struct prof_shape *prof_shape_hold(const struct prof_shape *shape)
{
    struct prof_shape *s = (struct prof_shape *)(uintptr_t)shape;
    if (s && s->users > 0)
        s->users++;
    return s;
}

void prof_shape_drop(const struct prof_shape *shape)
{
    struct prof_shape *s = (struct prof_shape *)(uintptr_t)shape;
    if (!s || s->users == 0 || --s->users > 0)
        return;
    if (s->kind == PROF_SHAPE_REPEAT)
        prof_shape_drop(s->child);
    for (int64_t i = 0; s->kind == PROF_SHAPE_PARTS && i < s->n; i++)
        prof_shape_drop(s->parts[i].shape);
    if (s->kind == PROF_SHAPE_PARTS)
        free((void *)(uintptr_t)s->parts);
    free(s);
}

static const struct prof_shape *create(const struct prof_shape *value)
{
    struct prof_shape *s = prof_alloc(1, sizeof *s);
    *s = *value;
    s->users = 1;
    return s;
}

static struct prof_shape run_value(int64_t low, int64_t length)
{
    return (struct prof_shape){.kind = PROF_SHAPE_RUN,
                               .low = length > 0 ? low : 0,
                               .high = length > 0 ? low + length : 0,
                               .bytes = length,
                               .runs = 1};
}

const struct prof_shape *prof_shape_run(int64_t low, int64_t length)
{
    struct prof_shape s = run_value(low, length);
    return create(&s);
}

static bool span(struct prof_shape *s)
{
    int64_t last;
    return !__builtin_mul_overflow(s->n - 1, s->stride, &last) &&
           !__builtin_mul_overflow(s->n, s->child->bytes, &s->bytes) &&
           !__builtin_mul_overflow(s->n, s->child->runs, &s->runs) &&
           !__builtin_add_overflow(s->offset, s->child->low, &s->low) &&
           !__builtin_add_overflow(last, s->offset, &last) &&
           !__builtin_add_overflow(last, s->child->high, &s->high);
}

bool prof_shape_repeat_value(struct prof_shape *s, int64_t n, int64_t stride, const struct prof_shape *child)
{
    int64_t offset = 0, length;
    if (n <= 0 || child->bytes == 0) {
        *s = run_value(0, 0);
        return true;
    }
    if (n == 1) {
        *s = *child;
        return true;
    }
    if (stride < 0) {
        if (__builtin_mul_overflow(n - 1, stride, &offset) || stride == INT64_MIN)
            return false;
        stride = -stride;
    }
    if (child->kind == PROF_SHAPE_RUN && stride == child->bytes) {
        if (__builtin_mul_overflow(n, stride, &length) || __builtin_add_overflow(offset, child->low, &offset))
            return false;
        *s = run_value(offset, length);
        return true;
    }
    *s = (struct prof_shape){
        .kind = PROF_SHAPE_REPEAT, .n = n, .offset = offset, .stride = stride, .child = child};
    if (child->kind == PROF_SHAPE_REPEAT && !__builtin_mul_overflow(child->n, child->stride, &length) &&
        length == stride) {
        s->child = child->child;
        s->stride = child->stride;
        if (__builtin_mul_overflow(n, child->n, &s->n) ||
            __builtin_add_overflow(offset, child->offset, &s->offset))
            return false;
    }
    return span(s);
}

const struct prof_shape *prof_shape_repeat(int64_t n, int64_t stride, const struct prof_shape *child)
{
    struct prof_shape s;
    if (!child)
        return NULL;
    if (n == 1)
        return child;
    const struct prof_shape *made = NULL;
    if (prof_shape_repeat_value(&s, n, stride, child)) {
        if (s.kind == PROF_SHAPE_REPEAT)
            prof_shape_hold(s.child);
        made = create(&s);
    }
    prof_shape_drop(child);
    return made;
}

static int by_low(const void *a, const void *b)
{
    const struct prof_shape_part *x = a, *y = b;
    int64_t l = x->offset + x->shape->low, r = y->offset + y->shape->low;
    return l < r ? -1 : l > r;
}

static void sort(struct prof_shape_part *parts, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (by_low(&parts[i - 1], &parts[i]) > 0) {
            qsort(parts, n, sizeof *parts, by_low);
            return;
        }
}

/* Leaves out empty parts; runs that follow each other become one. */
static size_t merge(struct prof_shape_part *parts, size_t n)
{
    size_t out = 0;
    for (size_t i = 0; i < n; i++) {
        struct prof_shape_part *last = out ? &parts[out - 1] : NULL, *p = &parts[i];
        if (p->shape->bytes == 0) {
            prof_shape_drop(p->shape);
        } else if (last && last->shape->kind == PROF_SHAPE_RUN && p->shape->kind == PROF_SHAPE_RUN &&
                   last->offset + last->shape->high == p->offset + p->shape->low) {
            int64_t low = last->offset + last->shape->low, high = p->offset + p->shape->high;
            prof_shape_drop(last->shape);
            prof_shape_drop(p->shape);
            *last = (struct prof_shape_part){0, prof_shape_run(low, high - low)};
        } else {
            parts[out++] = *p;
        }
    }
    return out;
}

static bool fits(const struct prof_shape_part *p)
{
    int64_t unused;
    return p->shape && !__builtin_add_overflow(p->offset, p->shape->low, &unused) &&
           !__builtin_add_overflow(p->offset, p->shape->high, &unused);
}

const struct prof_shape *prof_shape_parts(struct prof_shape_part *parts, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good = good && fits(&parts[i]);
    if (!good) {
        for (size_t i = 0; i < n; i++)
            prof_shape_drop(parts[i].shape);
        return NULL;
    }
    sort(parts, n);
    n = merge(parts, n);
    if (n == 0)
        return prof_shape_run(0, 0);
    if (n == 1 && parts[0].offset == 0)
        return parts[0].shape;
    struct prof_shape s = {
        .kind = PROF_SHAPE_PARTS, .n = (int64_t)n, .low = INT64_MAX, .high = INT64_MIN, .apart = true};
    struct prof_shape_part *list = prof_alloc(n, sizeof *list);
    memcpy(list, parts, n * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        int64_t low = list[i].offset + list[i].shape->low, high = list[i].offset + list[i].shape->high;
        s.apart = s.apart && (i == 0 || low >= s.high);
        s.low = low < s.low ? low : s.low;
        s.high = high > s.high ? high : s.high;
        s.runs += list[i].shape->runs; /* not more than its bytes, which are checked */
        good = good && !__builtin_add_overflow(s.bytes, list[i].shape->bytes, &s.bytes);
    }
    s.parts = list;
    const struct prof_shape *made = create(&s);
    if (good)
        return made;
    prof_shape_drop(made);
    return NULL;
}

/* ---- which children may have bytes in a range ---- */

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Items i of a repetition whose child, at `at` + i * stride, may have bytes in [low, high): *first to *last,
 * maybe none. */
static void items(const struct prof_shape *s, int64_t at, int64_t low, int64_t high, int64_t *first,
                  int64_t *last)
{
    at += s->offset;
    if (s->stride == 0) {
        *first = 0;
        *last = at + s->child->low < high && at + s->child->high > low ? s->n - 1 : -1;
        return;
    }
    *first = floor_div(low - at - s->child->high, s->stride) + 1;
    *last = floor_div(high - 1 - at - s->child->low, s->stride);
    *first = *first < 0 ? 0 : *first;
    *last = *last > s->n - 1 ? s->n - 1 : *last;
}

/* The first part that may have bytes at or behind `low`. */
static int64_t first_part(const struct prof_shape *s, int64_t at, int64_t low)
{
    int64_t from = 0, to = s->apart ? s->n : 0;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        const struct prof_shape_part *p = &s->parts[middle];
        if (at + p->offset + p->shape->high <= low)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* ---- runs ---- */

static bool runs(const struct prof_shape *s, int64_t at, int64_t low, int64_t high, prof_run_see *see,
                 void *context)
{
    if (at + s->low >= high || at + s->high <= low || s->bytes == 0)
        return true;
    bool more = true;
    int64_t first, last;
    switch (s->kind) {
    case PROF_SHAPE_RUN: return see(context, (struct prof_run){(uintptr_t)(at + s->low), (size_t)s->bytes});
    case PROF_SHAPE_REPEAT:
        items(s, at, low, high, &first, &last);
        for (int64_t i = first; i <= last && more; i++)
            more = runs(s->child, at + s->offset + i * s->stride, low, high, see, context);
        return more;
    case PROF_SHAPE_PARTS:
        for (int64_t i = first_part(s, at, low); i < s->n && more; i++) {
            const struct prof_shape_part *p = &s->parts[i];
            if (at + p->offset + p->shape->low >= high) /* ascending */
                break;
            more = runs(p->shape, at + p->offset, low, high, see, context);
        }
    }
    return more;
}

bool prof_shape_runs(const struct prof_shape *shape, uintptr_t at, uintptr_t low, uintptr_t high,
                     prof_run_see *see, void *context)
{
    return runs(shape, (int64_t)at, (int64_t)low, (int64_t)high, see, context);
}

/* ---- common bytes ---- */

struct meeting {
    int64_t steps; /* left */
    struct prof_run common;
};

static bool meet(struct meeting *m, const struct prof_shape *a, int64_t a_at, const struct prof_shape *b,
                 int64_t b_at);

static bool meet_runs(struct meeting *m, const struct prof_shape *a, int64_t a_at, const struct prof_shape *b,
                      int64_t b_at)
{
    int64_t low = a_at + a->low > b_at + b->low ? a_at + a->low : b_at + b->low;
    int64_t high = a_at + a->high < b_at + b->high ? a_at + a->high : b_at + b->high;
    m->common = (struct prof_run){(uintptr_t)low, (size_t)(high - low)};
    return true;
}

/* Two repetitions with one stride: whether items i and j meet depends on i - j only. */
static bool meet_alike(struct meeting *m, const struct prof_shape *a, int64_t a_at,
                       const struct prof_shape *b, int64_t b_at)
{
    int64_t a0 = a_at + a->offset, b0 = b_at + b->offset, s = a->stride;
    int64_t first = floor_div(b0 + b->child->low - a0 - a->child->high, s) + 1;
    int64_t last = floor_div(b0 + b->child->high - 1 - a0 - a->child->low, s);
    first = first < -(b->n - 1) ? -(b->n - 1) : first;
    last = last > a->n - 1 ? a->n - 1 : last;
    for (int64_t d = first; d <= last && m->steps > 0; d++) {
        int64_t i = d > 0 ? d : 0, j = i - d;
        if (meet(m, a->child, a0 + i * s, b->child, b0 + j * s))
            return true;
    }
    return false;
}

/* Each child of `a` that reaches into the extent of `b`. */
static bool meet_children(struct meeting *m, const struct prof_shape *a, int64_t a_at,
                          const struct prof_shape *b, int64_t b_at)
{
    int64_t low = b_at + b->low, high = b_at + b->high, first, last;
    if (a->kind == PROF_SHAPE_REPEAT) {
        items(a, a_at, low, high, &first, &last);
        for (int64_t i = first; i <= last && m->steps > 0; i++)
            if (meet(m, a->child, a_at + a->offset + i * a->stride, b, b_at))
                return true;
        return false;
    }
    for (int64_t i = first_part(a, a_at, low); i < a->n && m->steps > 0; i++) {
        if (a_at + a->parts[i].offset + a->parts[i].shape->low >= high)
            break;
        if (meet(m, a->parts[i].shape, a_at + a->parts[i].offset, b, b_at))
            return true;
    }
    return false;
}

static bool meet(struct meeting *m, const struct prof_shape *a, int64_t a_at, const struct prof_shape *b,
                 int64_t b_at)
{
    if (m->steps-- <= 0 || a_at + a->low >= b_at + b->high || b_at + b->low >= a_at + a->high)
        return false;
    if (a->kind == PROF_SHAPE_RUN && b->kind == PROF_SHAPE_RUN)
        return meet_runs(m, a, a_at, b, b_at);
    if (a->kind == PROF_SHAPE_REPEAT && b->kind == PROF_SHAPE_REPEAT && a->stride == b->stride &&
        a->stride > 0)
        return meet_alike(m, a, a_at, b, b_at);
    bool split_a =
        b->kind == PROF_SHAPE_RUN || (a->kind != PROF_SHAPE_RUN && a->high - a->low >= b->high - b->low);
    return split_a ? meet_children(m, a, a_at, b, b_at) : meet_children(m, b, b_at, a, a_at);
}

bool prof_shape_meet(const struct prof_shape *a, uintptr_t a_at, const struct prof_shape *b, uintptr_t b_at,
                     struct prof_run *common)
{
    struct meeting m = {.steps = STEPS};
    if (a->bytes == 0 || b->bytes == 0 || !meet(&m, a, (int64_t)a_at, b, (int64_t)b_at))
        return false;
    if (common)
        *common = m.common;
    return true;
}

/* ---- bytes that occur twice ---- */

static bool meet_itself(struct meeting *m, const struct prof_shape *s, int64_t at);

static bool parts_meet(struct meeting *m, const struct prof_shape *s, int64_t at)
{
    for (int64_t i = 0; i < s->n && m->steps > 0; i++)
        if (meet_itself(m, s->parts[i].shape, at + s->parts[i].offset))
            return true;
    for (int64_t i = 0; i < s->n && !s->apart; i++) {
        const struct prof_shape_part *p = &s->parts[i], *q = p + 1;
        for (; q < s->parts + s->n && q->offset + q->shape->low < p->offset + p->shape->high && m->steps > 0;
             q++)
            if (meet(m, p->shape, at + p->offset, q->shape, at + q->offset))
                return true;
    }
    return false;
}

static bool meet_itself(struct meeting *m, const struct prof_shape *s, int64_t at)
{
    if (m->steps-- <= 0 || s->kind == PROF_SHAPE_RUN)
        return false;
    if (s->kind == PROF_SHAPE_PARTS)
        return parts_meet(m, s, at);
    at += s->offset;
    if (meet_itself(m, s->child, at))
        return true;
    int64_t extent = s->child->high - s->child->low;
    for (int64_t d = 1; d < s->n && d * s->stride < extent && m->steps > 0; d++)
        if (meet(m, s->child, at, s->child, at + d * s->stride))
            return true;
    return false;
}

bool prof_shape_meets_itself(const struct prof_shape *shape, uintptr_t at, struct prof_run *common)
{
    struct meeting m = {.steps = STEPS};
    if (!meet_itself(&m, shape, (int64_t)at))
        return false;
    if (common)
        *common = m.common;
    return true;
}
