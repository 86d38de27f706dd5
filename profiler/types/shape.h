/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which bytes a datatype means: its type map (MPI-4.0, section 5.1) without the types. A shape is a tree: a
 * run of bytes, a shape repeated at a stride, or a sequence of shapes. So a vector of a million blocks is one
 * node, and whether two such vectors share a byte is arithmetic on their strides, not on their blocks.
 *
 * Shapes never change and are shared; whoever keeps one holds it. One thread at a time.
 */
#ifndef PROF_SHAPE_H
#define PROF_SHAPE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prof_shape_kind { PROF_SHAPE_RUN, PROF_SHAPE_REPEAT, PROF_SHAPE_PARTS };

struct prof_shape {
    uint32_t users; /* 0: static */
    enum prof_shape_kind kind;
    int64_t low, high; /* all its bytes are in [low, high); equal: it has none */
    int64_t bytes;     /* how many; a byte that occurs twice counts twice */
    int64_t runs;      /* in how many pieces, at most */
    /* REPEAT: `child` at offset + i * stride, i < n (stride > 0; n > 1). PARTS: n of them, by ascending
     * low. */
    int64_t n, offset, stride;
    const struct prof_shape *child;
    const struct prof_shape_part *parts;
    bool apart; /* PARTS: each ends before the next begins */
};

struct prof_shape_part {
    int64_t offset;
    const struct prof_shape *shape;
};

/* Of one item of a datatype that is not null or freed, builtin or not. One hold. NULL: it is not known (a
 * combiner of another MPI, numbers beyond 64 bits). */
const struct prof_shape *prof_shape_of_type(MPI_Datatype handle);
const struct prof_shape *prof_shape_hold(const struct prof_shape *shape);
/* NULL is allowed. */
void prof_shape_drop(const struct prof_shape *shape);

/* ---- making them: each takes over the caller's hold on what it is given, and gives NULL for NULL ---- */

const struct prof_shape *prof_shape_run(int64_t low, int64_t length);
const struct prof_shape *prof_shape_repeat(int64_t n, int64_t stride, const struct prof_shape *child);
/* The same by value, without holds: `child` must outlive it. False: beyond 64 bits. */
bool prof_shape_repeat_value(struct prof_shape *shape, int64_t n, int64_t stride,
                             const struct prof_shape *child);
/* The list stays the caller's; it may be sorted. */
const struct prof_shape *prof_shape_parts(struct prof_shape_part *parts, size_t n);

/* ---- asking ---- */

/* A run of bytes in memory. */
struct prof_run {
    uintptr_t at;
    size_t length;
};

/* Sees each run of the shape at `at` that has bytes in [low, high), whole; neighbours are not always merged.
 * In ascending order unless parts are interleaved. False: `see` said false, which ends it. */
typedef bool prof_run_see(void *context, struct prof_run run);
bool prof_shape_runs(const struct prof_shape *shape, uintptr_t at, uintptr_t low, uintptr_t high,
                     prof_run_see *see, void *context);
/* True: they have a byte in common, and *common is one run of such bytes. What needs more steps than a
 * million is taken to have none. */
bool prof_shape_meet(const struct prof_shape *a, uintptr_t a_at, const struct prof_shape *b, uintptr_t b_at,
                     struct prof_run *common);
/* True: the shape has a byte twice. */
bool prof_shape_meets_itself(const struct prof_shape *shape, uintptr_t at, struct prof_run *common);

#endif
