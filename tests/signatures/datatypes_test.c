/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random nested datatypes, made by every constructor of MPI, with their signatures written out as
 * the standard defines them; then taken apart by the profiler, told, and read by the scheduler's side.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../profiler/types/signatures.h"
#include "../../scheduler/check/signatures.h"
#include "engine/errors.h"
#include "link/uplink.h"

/* ---- what the profiler's file needs of others ---- */

static struct isp_buf frame;
static uint32_t *types; /* by the rank's number */
static uint32_t n_types;
static struct sched_signatures *store;

struct isp_buf *prof_link_begin(uint8_t type)
{
    assert_int_equal(type, ISP_MSG_TYPE);
    frame.size = 0;
    return &frame;
}

void prof_link_end(void)
{
    struct isp_reader in = isp_reader_of(frame.data, frame.size);
    assert_int_equal(isp_get_u32(&in), n_types);
    types = realloc(types, (n_types + 1) * sizeof *types);
    types[n_types++] = sched_signatures_take(store, &in);
    assert_true(in.ok && in.at == in.end);
}

void prof_errors_quiet(bool quiet) { (void)quiet; }

/* ---- types with their signatures ---- */

static uint64_t state_;

static uint64_t any(uint64_t below)
{
    state_ = state_ * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (state_ >> 33) % below;
}

struct model {
    MPI_Datatype type;
    bool builtin;
    uint32_t *basics;
    uint64_t n;
};

static void append(struct model *to, const struct model *from, uint64_t times)
{
    to->basics = realloc(to->basics, (to->n + times * from->n + 1) * sizeof *to->basics);
    for (uint64_t i = 0; i < times; i++)
        memcpy(to->basics + to->n + i * from->n, from->basics, from->n * sizeof *from->basics);
    to->n += times * from->n;
}

static void finish(struct model *m)
{
    if (!m->builtin)
        MPI_Type_free(&m->type);
    free(m->basics);
}

static struct model leaf(void)
{
    static const struct {
        MPI_Datatype type;
        uint32_t basics[2], n;
    } leaves[] = {
        {MPI_INT, {ISP_BASIC_INT}, 1},
        {MPI_DOUBLE, {ISP_BASIC_DOUBLE}, 1},
        {MPI_CHAR, {ISP_BASIC_CHAR}, 1},
        {MPI_BYTE, {ISP_BASIC_BYTE}, 1},
        {MPI_UINT16_T, {ISP_BASIC_UINT16_T}, 1},
        {MPI_2INT, {ISP_BASIC_INT, ISP_BASIC_INT}, 2},
        {MPI_DOUBLE_INT, {ISP_BASIC_DOUBLE, ISP_BASIC_INT}, 2},
        {MPI_LONG_DOUBLE_INT, {ISP_BASIC_LONG_DOUBLE, ISP_BASIC_INT}, 2},
        {MPI_COMPLEX, {ISP_BASIC_COMPLEX}, 1},
        {MPI_AINT, {ISP_BASIC_AINT}, 1},
        {MPI_INTEGER8, {ISP_BASIC_INTEGER8}, 1},
    };
    size_t i = any(sizeof leaves / sizeof *leaves);
    struct model m = {.type = leaves[i].type, .builtin = true};
    struct model from = {.basics = (uint32_t *)(uintptr_t)leaves[i].basics, .n = leaves[i].n};
    append(&m, &from, 1);
    return m;
}

static struct model f90_leaf(void)
{
    struct model m = {.builtin = true};
    static const uint32_t basics[] = {ISP_BASIC_REAL8, ISP_BASIC_COMPLEX8, ISP_BASIC_INTEGER4};
    unsigned i = (unsigned)any(3);
    if (i == 0)
        MPI_Type_create_f90_real(15, MPI_UNDEFINED, &m.type);
    else if (i == 1)
        MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &m.type);
    else
        MPI_Type_create_f90_integer(9, &m.type);
    struct model from = {.basics = (uint32_t *)(uintptr_t)&basics[i], .n = 1};
    append(&m, &from, 1);
    return m;
}

static struct model make(unsigned depth);

#define MOST 3 /* blocks; lengths of blocks */

static void make_struct(struct model *m, unsigned depth, bool large)
{
    int n = (int)any(MOST + 1), lengths[MOST];
    MPI_Aint places[MOST];
    MPI_Count large_lengths[MOST], large_places[MOST];
    MPI_Datatype olds[MOST];
    struct model parts[MOST];
    for (int i = 0; i < n; i++) {
        bool again = i && any(3) == 0;
        parts[i] = again ? (struct model){.type = parts[i - 1].type, .builtin = true} : make(depth - 1);
        if (again)
            append(&parts[i], &parts[i - 1], 1);
        olds[i] = parts[i].type;
        large_lengths[i] = lengths[i] = (int)any(MOST);
        large_places[i] = places[i] = (MPI_Aint)any(500);
        append(m, &parts[i], (uint64_t)lengths[i]);
    }
    if (large)
        MPI_Type_create_struct_c(n, large_lengths, large_places, olds, &m->type);
    else
        MPI_Type_create_struct(n, lengths, places, olds, &m->type);
    for (int i = n; i-- > 0;)
        finish(&parts[i]);
}

/* Blocks of one old type. */
static void make_blocks(struct model *m, const struct model *old, unsigned which)
{
    int n = (int)any(MOST + 1), lengths[MOST], places[MOST], length = (int)any(MOST);
    MPI_Aint far[MOST];
    MPI_Count large_lengths[MOST], large_places[MOST];
    uint64_t times = 0;
    for (int i = 0; i < n; i++) {
        large_lengths[i] = lengths[i] = (int)any(MOST);
        places[i] = (int)any(50);
        large_places[i] = far[i] = (MPI_Aint)any(500);
        times += which < 4 ? (uint64_t)lengths[i] : (uint64_t)length;
    }
    append(m, old, times);
    switch (which) {
    case 0: MPI_Type_indexed(n, lengths, places, old->type, &m->type); break;
    case 1: MPI_Type_create_hindexed(n, lengths, far, old->type, &m->type); break;
    case 2: MPI_Type_indexed_c(n, large_lengths, large_places, old->type, &m->type); break;
    case 3: MPI_Type_create_hindexed_c(n, large_lengths, large_places, old->type, &m->type); break;
    case 4: MPI_Type_create_indexed_block(n, length, places, old->type, &m->type); break;
    case 5: MPI_Type_create_hindexed_block(n, length, far, old->type, &m->type); break;
    case 6: MPI_Type_vector(n, length, 5, old->type, &m->type); break;
    case 7: MPI_Type_create_hvector(n, length, 77, old->type, &m->type); break;
    case 8: MPI_Type_vector_c(n, length, 5, old->type, &m->type); break;
    default: MPI_Type_create_hvector_c(n, length, 77, old->type, &m->type); break;
    }
}

static void make_arrays(struct model *m, const struct model *old, unsigned which)
{
    int order = any(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[] = {4, 5}, some[] = {1 + (int)any(4), 1 + (int)any(5)}, from[] = {4 - some[0], 5 - some[1]};
    MPI_Count large_sizes[] = {4, 5}, large_some[] = {some[0], some[1]}, large_from[] = {from[0], from[1]};
    int how[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, by[] = {MPI_DISTRIBUTE_DFLT_DARG, 1},
        grid[] = {2, 2};
    switch (which) {
    case 0:
    case 1:
        append(m, old, (uint64_t)some[0] * (uint64_t)some[1]);
        if (which == 0)
            MPI_Type_create_subarray(2, sizes, some, from, order, old->type, &m->type);
        else
            MPI_Type_create_subarray_c(2, large_sizes, large_some, large_from, order, old->type, &m->type);
        break;
    default:
        append(m, old, 2 * 3); /* rank 0 of 2 x 2 has 2 of 4 rows, and columns 0, 2, 4 */
        if (which == 2)
            MPI_Type_create_darray(4, 0, 2, sizes, how, by, grid, order, old->type, &m->type);
        else
            MPI_Type_create_darray_c(4, 0, 2, large_sizes, how, by, grid, order, old->type, &m->type);
    }
}

static struct model make(unsigned depth)
{
    struct model m = {0};
    if (depth == 0 || any(8) == 0)
        return any(6) ? leaf() : f90_leaf();
    unsigned which = (unsigned)any(24);
    if (which < 6) {
        make_struct(&m, depth, which < 2);
        return m;
    }
    struct model old = make(depth - 1);
    if (which < 16) {
        make_blocks(&m, &old, which - 6);
    } else if (which < 20 && old.n) {
        make_arrays(&m, &old, which - 16);
    } else if (which == 20) {
        append(&m, &old, 1);
        MPI_Type_create_resized(old.type, -3, 1000, &m.type);
    } else if (which == 21) {
        append(&m, &old, 1);
        MPI_Type_dup(old.type, &m.type);
    } else {
        uint64_t n = any(MOST);
        append(&m, &old, n);
        if (which == 22)
            MPI_Type_contiguous((int)n, old.type, &m.type);
        else
            MPI_Type_contiguous_c((MPI_Count)n, old.type, &m.type);
    }
    finish(&old);
    return m;
}

static struct prof_signature look(MPI_Datatype type)
{
    struct prof_signature s = ((unsigned)type & 0xff000000u) == 0x4c000000u ? prof_signature_builtin(type)
                                                                            : prof_signature_derived(type);
    if (s.type >= ISP_TYPE_TOLD) {
        assert_true(s.type - ISP_TYPE_TOLD < n_types);
        s.type = types[s.type - ISP_TYPE_TOLD];
    }
    return s;
}

static void random_types(void **state)
{
    (void)state;
    uint64_t mixed = 0;
    for (int round = 0; round < 3000; round++) {
        struct model m = make(1 + (unsigned)any(4));
        struct prof_signature s = look(m.type);
        struct isp_signature want = isp_signature_empty();
        for (uint64_t i = 0; i < m.n; i++) {
            want = isp_signature_join(want, isp_signature_basic(m.basics[i]));
            assert_int_equal(isp_basic_class(sched_signature_at(store, s.type, s.times, i)),
                             isp_basic_class(m.basics[i]));
        }
        struct isp_signature got = sched_signature_of(store, s.type, s.times);
        assert_int_equal(got.length, m.n);
        assert_int_equal(got.hash, want.hash);
        mixed += s.type >= ISP_TYPE_TOLD;
        finish(&m);
    }
    assert_in_range(mixed, 300, 3000);
    assert_in_range(n_types, 1, mixed - 1); /* a signature that is known is not told again */
}

/* 2^60 elements, none of which is ever written out. */
static void very_large_types(void **state)
{
    (void)state;
    int lengths[] = {1, 2};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype olds[] = {MPI_INT, MPI_DOUBLE}, one, many;
    MPI_Type_create_struct(2, lengths, places, olds, &one);
    MPI_Type_create_hvector_c((MPI_Count)1 << 40, 1 << 10, 0, one, &many);
    struct prof_signature s = look(many);
    assert_int_equal(s.times, (uint64_t)1 << 50);
    assert_int_equal(sched_signature_of(store, s.type, s.times).length, (uint64_t)3 << 50);
    MPI_Type_free(&many);
    MPI_Type_free(&one);
}

/* 2^40 elements by 40 structures, each of two of the one before: looked at once each. */
static void shared_branches(void **state)
{
    (void)state;
    enum { DEPTH = 40 };
    MPI_Datatype chain[DEPTH + 1];
    int lengths[] = {1, 1, 1};
    MPI_Aint places[] = {0, 8, 16};
    MPI_Type_dup(MPI_INT, &chain[0]);
    for (int i = 1; i <= DEPTH; i++) {
        MPI_Datatype olds[] = {chain[i - 1], MPI_CHAR, chain[i - 1]};
        MPI_Type_create_struct(3, lengths, places, olds, &chain[i]);
        MPI_Type_create_resized(chain[i], 0, 24, &olds[0]);
        MPI_Type_free(&chain[i]);
        chain[i] = olds[0];
    }
    struct prof_signature s = look(chain[DEPTH]);
    assert_int_equal(sched_signature_of(store, s.type, s.times).length, ((uint64_t)2 << DEPTH) - 1);
    assert_int_equal(sched_signature_at(store, s.type, s.times, (uint64_t)1 << 40), ISP_BASIC_INT);
    assert_int_equal(sched_signature_at(store, s.type, s.times, ((uint64_t)1 << 40) - 1), ISP_BASIC_CHAR);
    for (int i = 0; i <= DEPTH; i++)
        MPI_Type_free(&chain[i]);
}

/* What has nothing in it, and what nobody can count. */
static void empty_and_unknown(void **state)
{
    (void)state;
    int lengths[] = {1, 4};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype olds[] = {MPI_INT, MPI_PACKED}, type;
    MPI_Type_create_struct(2, lengths, places, olds, &type);
    assert_int_equal(look(type).type, ISP_BASIC_NONE);
    MPI_Type_free(&type);
    MPI_Type_contiguous(7, MPI_PACKED, &type);
    assert_int_equal(look(type).type, ISP_BASIC_PACKED);
    assert_int_equal(look(type).times, 7);
    MPI_Type_free(&type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    assert_int_equal(look(type).times, 0);
    MPI_Type_free(&type);
}

/* Whatever mpi.h has a builtin handle for. */
static void builtin_types_are_known(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        uint32_t basic = prof_signature_builtin((MPI_Datatype)(0x4c000000u | i)).type;
        uint64_t times = prof_signature_builtin((MPI_Datatype)(0x4c000000u | i)).times;
        if (basic == ISP_BASIC_NONE)
            continue;
        bool found = false;
        for (unsigned size = 1; size <= 64 && !found; size++) { /* the handle has its size in it */
            MPI_Datatype handle = (MPI_Datatype)(0x4c000000u | size << 8 | i);
            char name[MPI_MAX_OBJECT_NAME] = "";
            int length;
            if (isp_basic_facts(basic).size * times != size)
                continue;
            MPI_Type_get_name(handle, name, &length);
            found = true;
            bool synonym =
                strcmp(name, "MPI_LONG_LONG_INT") == 0 || strcmp(name, "MPI_C_COMPLEX") == 0 || !name[0];
            if (times == 1 && !synonym)
                assert_string_equal(isp_basic_facts(basic).name, name);
        }
        assert_true(found);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    store = sched_signatures_create();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_types),
        cmocka_unit_test(very_large_types),
        cmocka_unit_test(shared_branches),
        cmocka_unit_test(empty_and_unknown),
        cmocka_unit_test(builtin_types_are_known),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sched_signatures_destroy(store);
    isp_buf_finish(&frame);
    free(types);
    MPI_Finalize();
    return failed;
}
