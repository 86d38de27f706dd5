/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes of random nested datatypes, made by every constructor of MPI, compared with those that MPI_Unpack
 * writes; and whether two of them meet, or one meets itself, compared with the bytes one by one.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "types/shape.h"

enum { MEMORY = 1 << 16, ROUNDS = 3000 };

static uint64_t state_;

static int any(int below)
{
    state_ = state_ * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int)((state_ >> 33) % (uint64_t)below);
}

/* ---- random types ---- */

static const MPI_Datatype leaves[] = {MPI_CHAR,      MPI_SHORT,     MPI_INT,        MPI_DOUBLE,
                                      MPI_SHORT_INT, MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT};

static MPI_Datatype make(int depth);

static MPI_Datatype make_darray(MPI_Datatype old, bool large)
{
    int sizes[2], kinds[2], arguments[2], procs[2], n = 1;
    MPI_Datatype type;
    for (int i = 0; i < 2; i++) {
        static const int all[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
        sizes[i] = 1 + any(7);
        kinds[i] = all[any(3)];
        procs[i] = kinds[i] == MPI_DISTRIBUTE_NONE ? 1 : 1 + any(3);
        arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (kinds[i] == MPI_DISTRIBUTE_CYCLIC && any(2))
            arguments[i] = 1 + any(3);
        n *= procs[i];
    }
    int order = any(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, rank = any(n);
    if (large) {
        MPI_Count wide[2] = {sizes[0], sizes[1]};
        MPI_Type_create_darray_c(n, rank, 2, wide, kinds, arguments, procs, order, old, &type);
    } else {
        MPI_Type_create_darray(n, rank, 2, sizes, kinds, arguments, procs, order, old, &type);
    }
    return type;
}

static MPI_Datatype make_subarray(MPI_Datatype old, bool large)
{
    int sizes[3], parts[3], starts[3];
    MPI_Count s[3], p[3], t[3];
    MPI_Datatype type;
    for (int i = 0; i < 3; i++) {
        s[i] = sizes[i] = 1 + any(4);
        p[i] = parts[i] = 1 + any(sizes[i]);
        t[i] = starts[i] = any(sizes[i] - parts[i] + 1);
    }
    int order = any(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    if (large)
        MPI_Type_create_subarray_c(3, s, p, t, order, old, &type);
    else
        MPI_Type_create_subarray(3, sizes, parts, starts, order, old, &type);
    return type;
}

static MPI_Datatype make_struct(int depth, bool large)
{
    int n = 1 + any(3), lengths[3];
    MPI_Aint at[3];
    MPI_Count wide_lengths[3], wide_at[3];
    MPI_Datatype types[3], type;
    for (int i = 0; i < n; i++) {
        wide_lengths[i] = lengths[i] = any(3);
        wide_at[i] = at[i] = any(200) - 60;
        types[i] = make(depth - 1);
    }
    if (large)
        MPI_Type_create_struct_c(n, wide_lengths, wide_at, types, &type);
    else
        MPI_Type_create_struct(n, lengths, at, types, &type);
    for (int i = 0; i < n; i++)
        MPI_Type_free(&types[i]);
    return type;
}

/* Blocks at displacements: four constructors, of two sizes. */
static MPI_Datatype make_indexed(MPI_Datatype old, bool large)
{
    int n = any(4), kind = any(4), lengths[3], at[3], one = any(3);
    MPI_Aint bytes[3];
    MPI_Count wide_lengths[3], wide_at[3], wide_bytes[3];
    MPI_Datatype type;
    for (int i = 0; i < n; i++) {
        wide_lengths[i] = lengths[i] = any(3);
        wide_at[i] = at[i] = any(12) - 3;
        wide_bytes[i] = bytes[i] = any(200) - 60;
    }
    switch (kind + (large ? 4 : 0)) {
    case 0: MPI_Type_indexed(n, lengths, at, old, &type); break;
    case 1: MPI_Type_create_hindexed(n, lengths, bytes, old, &type); break;
    case 2: MPI_Type_create_indexed_block(n, one, at, old, &type); break;
    case 3: MPI_Type_create_hindexed_block(n, one, bytes, old, &type); break;
    case 4: MPI_Type_indexed_c(n, wide_lengths, wide_at, old, &type); break;
    case 5: MPI_Type_create_hindexed_c(n, wide_lengths, wide_bytes, old, &type); break;
    case 6: MPI_Type_create_indexed_block_c(n, one, wide_at, old, &type); break;
    default: MPI_Type_create_hindexed_block_c(n, one, wide_bytes, old, &type);
    }
    return type;
}

static MPI_Datatype make_strided(MPI_Datatype old, bool large)
{
    int n = any(4), length = any(4), stride = any(9) - 4;
    MPI_Datatype type;
    switch (any(3) + (large ? 3 : 0)) {
    case 0: MPI_Type_contiguous(n, old, &type); break;
    case 1: MPI_Type_vector(n, length, stride, old, &type); break;
    case 2: MPI_Type_create_hvector(n, length, 7 * stride, old, &type); break;
    case 3: MPI_Type_contiguous_c(n, old, &type); break;
    case 4: MPI_Type_vector_c(n, length, stride, old, &type); break;
    default: MPI_Type_create_hvector_c(n, length, 7 * stride, old, &type);
    }
    return type;
}

static MPI_Datatype make(int depth)
{
    MPI_Datatype type, old;
    if (depth == 0) {
        MPI_Type_dup(leaves[any(sizeof leaves / sizeof *leaves)], &type);
        return type;
    }
    bool large = any(4) == 0;
    int kind = any(6);
    if (kind == 0)
        return make_struct(depth, large);
    old = make(depth - 1);
    switch (kind) {
    case 1: type = make_indexed(old, large); break;
    case 2: type = make_subarray(old, large); break;
    case 3: type = make_darray(old, large); break;
    /* less than 0: MPICH puts it elsewhere than its own true extent */
    case 4: MPI_Type_create_resized(old, any(40) - 20, any(80), &type); break;
    default: type = make_strided(old, large);
    }
    MPI_Type_free(&old);
    return type;
}

/* ---- bytes ---- */

struct bytes {
    unsigned char *at; /* how often each occurs */
    uint64_t n;
    bool twice;
};

static bool mark(void *context, struct prof_run run)
{
    struct bytes *b = context;
    for (size_t i = 0; i < run.length; i++) {
        b->twice |= b->at[run.at + i] > 0;
        b->at[run.at + i] = 1;
    }
    b->n += run.length;
    return true;
}

static unsigned char by_shape[MEMORY], by_mpi[MEMORY], others[MEMORY], ones[MEMORY];

static bool mark_shape(const struct prof_shape *s, int64_t at, unsigned char *memory, bool *twice)
{
    struct bytes b = {.at = memory};
    memset(memory, 0, MEMORY);
    if (at + s->low < 0 || at + s->high > MEMORY)
        return false;
    prof_shape_runs(s, (uintptr_t)at, 0, MEMORY, mark, &b);
    assert_int_equal(b.n, s->bytes);
    *twice = b.twice;
    return true;
}

static void unpack(MPI_Datatype type, int64_t at)
{
    MPI_Count size, position = 0;
    MPI_Type_size_x(type, &size);
    assert_true(size <= MEMORY);
    memset(by_mpi, 0, MEMORY);
    if (size == 0) /* MPICH divides by it */
        return;
    assert_int_equal(MPI_Unpack_c(ones, MEMORY, &position, by_mpi + at, 1, type, MPI_COMM_SELF), MPI_SUCCESS);
}

/* A type whose bytes fit into the memory, and where to put it. */
static const struct prof_shape *fitting(MPI_Datatype *type, int64_t *at)
{
    for (;;) {
        MPI_Count low, extent, size;
        *type = make(any(4));
        MPI_Type_commit(type);
        MPI_Type_get_true_extent_x(*type, &low, &extent);
        MPI_Type_size_x(*type, &size);
        if (extent >= 0 && extent < MEMORY / 4 && size < MEMORY && low > -MEMORY / 2) {
            const struct prof_shape *s = prof_shape_of_type(*type);
            assert_non_null(s);
            *at = -low + any(2000);
            return s;
        }
        MPI_Type_free(type);
    }
}

static void bytes_are_those_that_mpi_writes(void **context)
{
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        state_ = (uint64_t)round * 77;
        MPI_Datatype type;
        int64_t at;
        bool twice;
        const struct prof_shape *s = fitting(&type, &at);
        assert_true(mark_shape(s, at, by_shape, &twice));
        unpack(type, at);
        if (memcmp(by_shape, by_mpi, MEMORY) != 0)
            fail_msg("round %d: other bytes than MPI's", round);
        MPI_Count size;
        MPI_Type_size_x(type, &size);
        assert_int_equal(size, s->bytes);
        if (prof_shape_meets_itself(s, (uintptr_t)at, NULL) != twice)
            fail_msg("round %d: it has %s byte twice", round, twice ? "a" : "no");
        prof_shape_drop(s);
        MPI_Type_free(&type);
    }
}

static bool share(const unsigned char *a, const unsigned char *b)
{
    for (int i = 0; i < MEMORY; i++)
        if (a[i] && b[i])
            return true;
    return false;
}

/* `n` items of a type, as a region has them. */
static const struct prof_shape *several(MPI_Datatype type, const struct prof_shape *s, int n)
{
    MPI_Count low, extent;
    MPI_Type_get_extent_x(type, &low, &extent);
    return prof_shape_repeat(n, extent, s);
}

static void shapes_meet_where_they_share_a_byte(void **context)
{
    int met = 0, missed = 0;
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        state_ = 1 + (uint64_t)round * 77;
        MPI_Datatype types[2];
        const struct prof_shape *s[2];
        int64_t at[2];
        bool unused;
        for (int i = 0; i < 2; i++) {
            s[i] = fitting(&types[i], &at[i]);
            s[i] = several(types[i], s[i], 1 + any(5));
            MPI_Type_free(&types[i]);
            assert_non_null(s[i]);
        }
        at[1] = at[0] + any(300) - 150; /* near each other */
        if (mark_shape(s[0], at[0], by_shape, &unused) && mark_shape(s[1], at[1], others, &unused)) {
            struct prof_run common = {0};
            bool meet = prof_shape_meet(s[0], (uintptr_t)at[0], s[1], (uintptr_t)at[1], &common);
            if (meet != share(by_shape, others))
                fail_msg("round %d: they %s", round, meet ? "do not meet" : "meet");
            for (size_t k = 0; meet && k < common.length; k++)
                assert_true(by_shape[common.at + k] && others[common.at + k]);
            met += meet;
            missed += !meet;
        }
        prof_shape_drop(s[0]);
        prof_shape_drop(s[1]);
    }
    assert_true(met > 300 && missed > 300);
}

/* Neighbouring columns of a matrix with a million rows, and a column that does meet one. */
static void big_vectors_are_arithmetic(void **context)
{
    (void)context;
    MPI_Datatype column;
    MPI_Type_vector(1000000, 1, 1000, MPI_DOUBLE, &column);
    const struct prof_shape *s = prof_shape_of_type(column);
    assert_int_equal(s->kind, PROF_SHAPE_REPEAT);
    for (unsigned i = 1; i < 1000; i++)
        assert_false(prof_shape_meet(s, 0, s, 8 * i, NULL));
    struct prof_run common;
    assert_true(prof_shape_meet(s, 0, s, INT64_C(8000) * 999999 + 4, &common));
    assert_int_equal(common.at, INT64_C(8000) * 999999 + 4);
    assert_int_equal(common.length, 4);
    prof_shape_drop(s);
    MPI_Type_free(&column);
}

static void builtin_types_have_no_holes(void **context)
{
    (void)context;
    const MPI_Datatype all[] = {MPI_CHAR,
                                MPI_INT,
                                MPI_LONG_DOUBLE,
                                MPI_C_BOOL,
                                MPI_C_LONG_DOUBLE_COMPLEX,
                                MPI_2INT,
                                MPI_AINT,
                                MPI_COUNT,
                                MPI_WCHAR,
                                MPI_2DOUBLE_PRECISION,
                                MPI_PACKED,
                                MPI_BYTE,
                                MPI_CXX_LONG_DOUBLE_COMPLEX,
                                MPI_COMPLEX,
                                MPI_CHARACTER,
                                MPI_LOGICAL};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        MPI_Count low, extent;
        MPI_Type_get_extent_x(all[i], &low, &extent);
        assert_int_equal(low, 0);
        assert_int_equal(extent, ((unsigned)all[i] >> 8) & 0xff);
    }
}

int main(void)
{
    memset(ones, 1, sizeof ones);
    MPI_Init(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_that_mpi_writes),
        cmocka_unit_test(shapes_meet_where_they_share_a_byte),
        cmocka_unit_test(big_vectors_are_arithmetic),
        cmocka_unit_test(builtin_types_have_no_holes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
