/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that a buffer argument means: exactly those bytes that `count` items of a datatype name at an
 * address (MPI_BOTTOM too), without the holes between them.
 */
#ifndef PROF_REGIONS_H
#define PROF_REGIONS_H

#include "types/shape.h"

struct prof_region {
    uintptr_t at;            /* the address that the program gave */
    struct prof_shape shape; /* relative to it; by value, since most are one run */
    const struct prof_shape *held;
    uint32_t basic;      /* the type of all its elements (isp/datatypes.h); ISP_BASIC_NONE: not known */
    uintptr_t low, high; /* all its bytes are in [low, high); equal: it has none */
};

/* Of arguments that have been checked. False: the shape of the type is not known; the region is empty then.
 * The datatype's shape (computed once per datatype) is held until prof_region_finish: the program may free
 * the type. */
bool prof_region_init(struct prof_region *r, const void *buf, MPI_Count count, MPI_Datatype datatype);
void prof_region_finish(struct prof_region *r);
/* Of a shape, whose hold it takes over; NULL: it is not known. */
bool prof_region_adopt(struct prof_region *r, const void *buf, const struct prof_shape *shape);
/* Of `length` bytes. Needs no finish. */
struct prof_region prof_region_bytes(const void *buf, size_t length);

/* Sees the runs, as prof_shape_runs. */
bool prof_region_runs(const struct prof_region *r, prof_run_see *see, void *context);
/* Those that have bytes in [low, high). */
bool prof_region_runs_within(const struct prof_region *r, uintptr_t low, uintptr_t high, prof_run_see *see,
                             void *context);
/* The process has all of the memory from its first byte to its last one. The program may have given back that
 * of a large buffer, or named more of it than there is; a few bytes are taken to be there. */
bool prof_region_is_there(const struct prof_region *r);
/* How many bytes it has. */
static inline size_t prof_region_size(const struct prof_region *r) { return (size_t)r->shape.bytes; }
/* They have a byte in common: *common (may be NULL) says where. Exact, with a bound for the work. */
bool prof_region_meet(const struct prof_region *a, const struct prof_region *b, struct prof_run *common);
/* A byte occurs twice in it. */
bool prof_region_meets_itself(const struct prof_region *r, struct prof_run *common);
/* Which bytes of it an access of `length` bytes at `at` touches. */
bool prof_region_touched(const struct prof_region *r, uintptr_t at, size_t length, struct prof_run *common);

#endif
