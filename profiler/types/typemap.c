/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shape of a datatype, from what it was made of. Each constructor is what chapter 5.1 of MPI-4.0 says
 * that it is: parts at displacements, and repetitions at the extent of the old type. Types inside of a type
 * that occur often are looked at once.
 */
#include "shape.h"

#include <stdlib.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

#include "base/alloc.h"
#include "builtin_types.h"
#include "contents.h"

struct known {
    MPI_Datatype handle;
    const struct prof_shape *shape;
    UT_hash_handle hh;
};

static const struct prof_shape *take_apart(struct known **known, MPI_Datatype handle);

/* The numbers of a constructor in the order in which the standard lists them: with int arguments first come
 * the ints, then the addresses; a large-count type has all of them as counts. Arrays, and darrays, are read
 * by themselves. */
static int64_t number(const struct prof_contents *c, MPI_Count i)
{
    if (c->n_counts)
        return i < c->n_counts ? c->counts[i] : 0;
    if (i < c->n_ints)
        return c->ints[i];
    return i - c->n_ints < c->n_aints ? c->aints[i - c->n_ints] : 0;
}

static int64_t extent_of(MPI_Datatype handle)
{
    MPI_Count low, extent = 0;
    PMPI_Type_get_extent_x(handle, &low, &extent);
    return extent;
}

/* `n` items in a row. */
static const struct prof_shape *block(int64_t n, MPI_Datatype old, const struct prof_shape *shape)
{
    return prof_shape_repeat(n, extent_of(old), shape);
}

static const struct prof_shape *vector(const struct prof_contents *c, const struct prof_shape *old,
                                       bool bytes)
{
    int64_t stride = number(c, 2);
    if (!bytes && __builtin_mul_overflow(stride, extent_of(c->types[0]), &stride)) {
        prof_shape_drop(old);
        return NULL;
    }
    return prof_shape_repeat(number(c, 0), stride, block(number(c, 1), c->types[0], old));
}

/* Blocks of a few lengths share their shapes, whatever their order. */
enum { LENGTHS = 16 };

struct blocks {
    const struct prof_shape *old;
    int64_t extent;
    struct {
        int64_t length;
        const struct prof_shape *shape;
    } known[LENGTHS];
};

static const struct prof_shape *block_of(struct blocks *b, int64_t length)
{
    unsigned i = (unsigned)length % LENGTHS;
    if (!b->known[i].shape || b->known[i].length != length) {
        prof_shape_drop(b->known[i].shape);
        b->known[i].length = length;
        b->known[i].shape = prof_shape_repeat(length, b->extent, prof_shape_hold(b->old));
    }
    return prof_shape_hold(b->known[i].shape);
}

/* Blocks at displacements, in bytes or in extents of the old type. A block length for each, or one for
 * all. */
static const struct prof_shape *indexed(const struct prof_contents *c, const struct prof_shape *old,
                                        bool bytes, bool one)
{
    struct blocks blocks = {.old = old, .extent = extent_of(c->types[0])};
    int64_t n = number(c, 0), unit = bytes ? 1 : blocks.extent;
    if (!old)
        return NULL;
    struct prof_shape_part *parts = prof_alloc((size_t)n, sizeof *parts);
    for (int64_t i = 0; i < n; i++) {
        parts[i].shape = block_of(&blocks, number(c, one ? 1 : 1 + i));
        if (__builtin_mul_overflow(number(c, one ? 2 + i : 1 + n + i), unit, &parts[i].offset)) {
            prof_shape_drop(parts[i].shape);
            parts[i].shape = NULL;
        }
    }
    for (size_t i = 0; i < LENGTHS; i++)
        prof_shape_drop(blocks.known[i].shape);
    prof_shape_drop(old);
    const struct prof_shape *made = prof_shape_parts(parts, (size_t)n);
    free(parts);
    return made;
}

static const struct prof_shape *structure(struct known **known, const struct prof_contents *c)
{
    int64_t n = number(c, 0);
    struct prof_shape_part *parts = prof_alloc((size_t)n, sizeof *parts);
    for (int64_t i = 0; i < n; i++) {
        parts[i].offset = number(c, 1 + n + i);
        parts[i].shape = block(number(c, 1 + i), c->types[i], take_apart(known, c->types[i]));
    }
    const struct prof_shape *made = prof_shape_parts(parts, (size_t)n);
    free(parts);
    return made;
}

static const struct prof_shape *moved(int64_t offset, const struct prof_shape *shape)
{
    struct prof_shape_part part = {offset, shape};
    return prof_shape_parts(&part, 1);
}

/* The value number i of the k-th list of a subarray or darray. Their ints and counts are listed apart. */
static int64_t in_list(const struct prof_contents *c, int before, int list, int dims, int i)
{
    return c->n_counts ? c->counts[list * dims + i] : c->ints[before + list * dims + i];
}

/* Section 5.1.3. */
static const struct prof_shape *subarray(const struct prof_contents *c, const struct prof_shape *shape)
{
    int dims = c->ints[0], order = c->n_counts ? c->ints[1] : c->ints[1 + 3 * dims];
    int64_t stride = extent_of(c->types[0]), offset = 0;
    for (int k = 0; k < dims; k++) { /* the fastest dimension first */
        int d = order == MPI_ORDER_C ? dims - 1 - k : k;
        shape = prof_shape_repeat(in_list(c, 1, 1, dims, d), stride, shape);
        offset += in_list(c, 1, 2, dims, d) * stride;
        stride *= in_list(c, 1, 0, dims, d);
    }
    return moved(offset, shape);
}

/* What one dimension of a darray (section 5.1.4) holds for coordinate `at` of `procs`: blocks of `size`
 * items, dealt out in turn. */
static const struct prof_shape *dealt(int64_t items, int64_t size, int procs, int at, int64_t stride,
                                      const struct prof_shape *shape)
{
    int64_t round = size * procs, from = at * size, full, rest;
    /* rounds that hold a whole block, but for the last one */
    full = items > from ? (items - from) / round : 0;
    rest = items > from ? (items - from) % round : 0;
    if (rest >= size)
        full++, rest = 0;
    struct prof_shape_part parts[2] = {
        {from * stride,
         prof_shape_repeat(full, round * stride, prof_shape_repeat(size, stride, prof_shape_hold(shape)))},
        {(from + full * round) * stride, prof_shape_repeat(rest, stride, shape)}};
    return prof_shape_parts(parts, 2);
}

static const struct prof_shape *darray(const struct prof_contents *c, const struct prof_shape *shape)
{
    int dims = c->ints[2], rank = c->ints[1], before = c->n_counts ? 3 : 3 + dims;
    const int *distribution = c->ints + before, *argument = distribution + dims, *procs = argument + dims;
    int order = procs[dims];
    int64_t stride = extent_of(c->types[0]);
    for (int k = 0; k < dims; k++) {
        int d = order == MPI_ORDER_C ? dims - 1 - k : k, at = rank;
        for (int i = dims - 1; i > d; i--) /* the grid of processes is in C's order always */
            at /= procs[i];
        at %= procs[d];
        int64_t items = in_list(c, 3, 0, dims, d), size = argument[d];
        if (size == MPI_DISTRIBUTE_DFLT_DARG)
            size = distribution[d] == MPI_DISTRIBUTE_BLOCK ? (items + procs[d] - 1) / procs[d] : 1;
        if (distribution[d] == MPI_DISTRIBUTE_NONE)
            shape = prof_shape_repeat(items, stride, shape);
        else if (shape)
            shape = dealt(items, size, procs[d], at, stride, shape);
        stride *= items;
    }
    return shape;
}

/* A pair type of MPI_MINLOC is the structure of its value and an int. */
static const struct prof_shape *named(MPI_Datatype handle)
{
    static const struct {
        MPI_Datatype pair;
        int bytes;
    } pairs[] = {{MPI_FLOAT_INT, sizeof(float)},
                 {MPI_DOUBLE_INT, sizeof(double)},
                 {MPI_LONG_INT, sizeof(long)},
                 {MPI_SHORT_INT, sizeof(short)},
                 {MPI_LONG_DOUBLE_INT, sizeof(long double)}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].pair == handle) {
            int64_t second = pairs[i].bytes < (int)sizeof(int) ? (int)sizeof(int) : pairs[i].bytes;
            struct prof_shape_part parts[2] = {{0, prof_shape_run(0, pairs[i].bytes)},
                                               {second, prof_shape_run(0, sizeof(int))}};
            return prof_shape_parts(parts, 2);
        }
    return NULL;
}

static const struct prof_shape *sized(MPI_Datatype handle)
{
    MPI_Count bytes = 0;
    PMPI_Type_size_x(handle, &bytes);
    return prof_shape_run(0, bytes);
}

static const struct prof_shape *of_one_type(const struct prof_contents *c, const struct prof_shape *old)
{
    if (!old)
        return NULL;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return old;
    case MPI_COMBINER_CONTIGUOUS: return block(number(c, 0), c->types[0], old);
    case MPI_COMBINER_VECTOR: return vector(c, old, false);
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER: return vector(c, old, true);
    case MPI_COMBINER_INDEXED: return indexed(c, old, false, false);
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER: return indexed(c, old, true, false);
    case MPI_COMBINER_INDEXED_BLOCK: return indexed(c, old, false, true);
    case MPI_COMBINER_HINDEXED_BLOCK: return indexed(c, old, true, true);
    case MPI_COMBINER_SUBARRAY: return subarray(c, old);
    case MPI_COMBINER_DARRAY: return darray(c, old);
    default: prof_shape_drop(old); return NULL;
    }
}

static const struct prof_shape *from_contents(struct known **known, MPI_Datatype handle)
{
    struct prof_contents c;
    const struct prof_shape *shape = NULL;
    if (prof_contents_get(&c, handle)) {
        switch (c.combiner) {
        case MPI_COMBINER_NAMED: shape = named(handle); break;
        case MPI_COMBINER_F90_REAL:
        case MPI_COMBINER_F90_INTEGER:
        case MPI_COMBINER_F90_COMPLEX: shape = sized(handle); break;
        case MPI_COMBINER_STRUCT:
        case MPI_COMBINER_STRUCT_INTEGER: shape = structure(known, &c); break;
        default:
            if (c.n_types == 1)
                shape = of_one_type(&c, take_apart(known, c.types[0]));
        }
    }
    prof_contents_drop(&c);
    return shape;
}

static const struct prof_shape *take_apart(struct known **known, MPI_Datatype handle)
{
    if (prof_type_is_builtin(handle))
        return sized(handle);
    struct known *k;
    HASH_FIND(hh, *known, &handle, sizeof handle, k);
    if (!k) {
        k = prof_alloc(1, sizeof *k);
        k->handle = handle;
        k->shape = from_contents(known, handle);
        HASH_ADD(hh, *known, handle, sizeof k->handle, k);
    }
    return prof_shape_hold(k->shape);
}

const struct prof_shape *prof_shape_of_type(MPI_Datatype handle)
{
    struct known *known = NULL, *k, *next;
    const struct prof_shape *shape = take_apart(&known, handle);
    HASH_ITER (hh, known, k, next) {
        HASH_DEL(known, k);
        prof_shape_drop(k->shape);
        free(k);
    }
    return shape;
}
