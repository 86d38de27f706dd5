/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash of a signature does not know how the sequence was put together; and the trees that ranks tell
 * (ISP_MSG_TYPE) say the same, in every prefix, as the sequence written out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/signatures.h"

static uint64_t state_;

static uint64_t any(uint64_t below)
{
    state_ = state_ * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (state_ >> 33) % below;
}

/* A sequence written out. */
struct flat {
    uint32_t *basics;
    uint64_t n, room;
};

static void append(struct flat *f, uint32_t basic)
{
    if (f->n == f->room) {
        f->room = f->room ? 2 * f->room : 16;
        f->basics = realloc(f->basics, f->room * sizeof *f->basics);
    }
    f->basics[f->n++] = basic;
}

static struct isp_signature signature_of(const uint32_t *basics, uint64_t n)
{
    struct isp_signature s = isp_signature_empty();
    for (uint64_t i = 0; i < n; i++)
        s = isp_signature_join(s, isp_signature_basic(basics[i]));
    return s;
}

static void assert_same(struct isp_signature a, struct isp_signature b)
{
    assert_int_equal(a.hash, b.hash);
    assert_int_equal(a.power, b.power);
    assert_int_equal(a.length, b.length);
}

static void joining_is_associative(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t basics[30];
        for (int i = 0; i < 30; i++)
            basics[i] = 1 + (uint32_t)any(ISP_BASIC_END - 1);
        uint64_t i = any(31), k = i + any(31 - i);
        struct isp_signature a = signature_of(basics, i), b = signature_of(basics + i, k - i);
        struct isp_signature c = signature_of(basics + k, 30 - k), all = signature_of(basics, 30);
        assert_same(isp_signature_join(isp_signature_join(a, b), c), all);
        assert_same(isp_signature_join(a, isp_signature_join(b, c)), all);
        assert_same(isp_signature_join(isp_signature_empty(), all), all);
        assert_same(isp_signature_join(all, isp_signature_empty()), all);
    }
}

static void repeating_is_joining_often(void **state)
{
    (void)state;
    uint32_t basics[] = {ISP_BASIC_INT, ISP_BASIC_DOUBLE, ISP_BASIC_INT};
    struct isp_signature one = signature_of(basics, 3), all = isp_signature_empty();
    for (uint64_t n = 0; n < 300; n++) {
        assert_same(isp_signature_repeat(one, n), all);
        all = isp_signature_join(all, one);
    }
    assert_same(isp_signature_repeat(isp_signature_repeat(one, 1u << 20), 1u << 21),
                isp_signature_repeat(one, UINT64_C(1) << 41));
    /* too long to be counted */
    assert_int_equal(isp_signature_repeat(one, UINT64_MAX / 2).length, UINT64_MAX);
    assert_int_equal(isp_signature_repeat(isp_signature_repeat(one, UINT64_MAX / 2), 2).length, UINT64_MAX);
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void short_sequences_differ(void **state)
{
    (void)state;
    enum { N = 4 + 16 + 64 + 256 + 1024 + 4096 };
    static const uint32_t basics[] = {ISP_BASIC_INT, ISP_BASIC_FLOAT, ISP_BASIC_DOUBLE, ISP_BASIC_CHAR};
    static uint64_t hashes[N];
    unsigned n = 0;
    for (unsigned length = 1, many = 4; length <= 6; length++, many *= 4)
        for (unsigned k = 0; k < many; k++) {
            struct isp_signature s = isp_signature_empty();
            for (unsigned i = 0, rest = k; i < length; i++, rest /= 4)
                s = isp_signature_join(s, isp_signature_basic(basics[rest % 4]));
            hashes[n++] = s.hash;
        }
    assert_int_equal(n, N);
    qsort(hashes, n, sizeof *hashes, by_hash);
    for (unsigned i = 1; i < n; i++)
        assert_true(hashes[i - 1] != hashes[i]);
}

/* What the documentation promises of names. */
static void names_that_match(void **state)
{
    (void)state;
    static const struct {
        uint32_t a, b;
        bool match;
    } pairs[] = {
        {ISP_BASIC_INT, ISP_BASIC_INT32_T, true},       {ISP_BASIC_INT, ISP_BASIC_INTEGER, true},
        {ISP_BASIC_INT, ISP_BASIC_UNSIGNED, false},     {ISP_BASIC_INT, ISP_BASIC_FLOAT, false},
        {ISP_BASIC_LONG, ISP_BASIC_AINT, true},         {ISP_BASIC_LONG, ISP_BASIC_LONG_LONG, false},
        {ISP_BASIC_LONG_LONG, ISP_BASIC_INT64_T, true}, {ISP_BASIC_COUNT, ISP_BASIC_OFFSET, true},
        {ISP_BASIC_CHAR, ISP_BASIC_BYTE, false},        {ISP_BASIC_CHAR, ISP_BASIC_SIGNED_CHAR, false},
        {ISP_BASIC_CHAR, ISP_BASIC_CHARACTER, true},    {ISP_BASIC_SIGNED_CHAR, ISP_BASIC_INT8_T, true},
        {ISP_BASIC_UINT8_T, ISP_BASIC_BYTE, false},     {ISP_BASIC_FLOAT, ISP_BASIC_REAL, true},
        {ISP_BASIC_DOUBLE, ISP_BASIC_REAL8, true},      {ISP_BASIC_LONG_DOUBLE, ISP_BASIC_REAL16, false},
        {ISP_BASIC_COMPLEX, ISP_BASIC_DOUBLE, false},   {ISP_BASIC_COMPLEX, ISP_BASIC_C_FLOAT_COMPLEX, true},
        {ISP_BASIC_LOGICAL, ISP_BASIC_INT, false},      {ISP_BASIC_PACKED, ISP_BASIC_DOUBLE, true},
        {ISP_BASIC_BYTE, ISP_BASIC_PACKED, true},       {ISP_BASIC_NONE, ISP_BASIC_INT, true},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (isp_basic_matches(pairs[i].a, pairs[i].b) != pairs[i].match ||
            isp_basic_matches(pairs[i].b, pairs[i].a) != pairs[i].match)
            fail_msg("%s and %s", isp_basic_facts(pairs[i].a).name, isp_basic_facts(pairs[i].b).name);
}

/* ---- trees ---- */

enum { NODES = 6, PARTS = 4 };

struct tree {
    struct isp_buf wire; /* without the rank's number of the type */
    struct flat nodes[NODES];
    unsigned n;
};

static void make_tree(struct tree *t)
{
    memset(t, 0, sizeof *t);
    t->n = 1 + (unsigned)any(NODES);
    isp_put_u32(&t->wire, t->n);
    for (unsigned i = 0; i < t->n; i++) {
        uint32_t parts = 1 + (uint32_t)any(PARTS);
        isp_put_u32(&t->wire, parts);
        for (uint32_t k = 0; k < parts; k++) {
            uint64_t count = 1 + any(3);
            uint32_t basic = 1 + (uint32_t)any(5), node = (uint32_t)any(NODES);
            bool is_node = node < i && t->nodes[node].n < 300;
            isp_put_u64(&t->wire, count);
            isp_put_u32(&t->wire, is_node ? ISP_TYPE_TOLD + node : basic);
            for (uint64_t c = 0; c < count; c++)
                for (uint64_t e = 0; e < (is_node ? t->nodes[node].n : 1); e++)
                    append(&t->nodes[i], is_node ? t->nodes[node].basics[e] : basic);
        }
    }
}

static void free_tree(struct tree *t)
{
    for (unsigned i = 0; i < NODES; i++)
        free(t->nodes[i].basics);
    isp_buf_finish(&t->wire);
}

static void trees_say_what_they_hold(void **state)
{
    (void)state;
    struct sched_signatures *s = sched_signatures_create();
    for (int round = 0; round < 300; round++) {
        struct tree t;
        make_tree(&t);
        const struct flat *one = &t.nodes[t.n - 1];
        struct isp_reader in = isp_reader_of(t.wire.data, t.wire.size);
        uint32_t type = sched_signatures_take(s, &in);
        assert_true(in.ok && in.at == in.end);
        uint64_t count = 1 + any(4);
        struct flat all = {0};
        for (uint64_t c = 0; c < count; c++)
            for (uint64_t e = 0; e < one->n; e++)
                append(&all, one->basics[e]);
        assert_same(sched_signature_of(s, type, count), signature_of(all.basics, all.n));
        for (int i = 0; i < 50; i++) {
            uint64_t n = any(all.n + 1);
            assert_same(sched_signature_prefix(s, type, count, n), signature_of(all.basics, n));
            if (n < all.n) /* types of one class are interned as one, whatever their names */
                assert_int_equal(isp_basic_class(sched_signature_at(s, type, count, n)),
                                 isp_basic_class(all.basics[n]));
        }
        in = isp_reader_of(t.wire.data, t.wire.size);
        assert_int_equal(sched_signatures_take(s, &in), type); /* it is there once */
        free(all.basics);
        free_tree(&t);
    }
    sched_signatures_destroy(s);
}

static void broken_trees_are_refused(void **state)
{
    (void)state;
    struct sched_signatures *s = sched_signatures_create();
    struct tree t;
    make_tree(&t);
    for (size_t size = 0; size < t.wire.size; size++) {
        uint8_t *exact = malloc(size ? size : 1); /* so that the sanitizer sees a read past the end */
        memcpy(exact, t.wire.data, size);
        struct isp_reader in = isp_reader_of(exact, size);
        sched_signatures_take(s, &in);
        assert_false(in.ok);
        free(exact);
    }
    free_tree(&t);
    static const struct {
        uint64_t count;
        uint32_t what;
    } bad[] = {{0, ISP_BASIC_INT},
               {1, ISP_BASIC_NONE},
               {1, ISP_BASIC_END},
               {1, ISP_TYPE_TOLD},
               {UINT64_MAX, ISP_BASIC_INT}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct isp_buf b;
        isp_buf_init(&b);
        isp_put_u32(&b, 1);
        isp_put_u32(&b, 1);
        isp_put_u64(&b, bad[i].count);
        isp_put_u32(&b, bad[i].what);
        struct isp_reader in = isp_reader_of(b.data, b.size);
        sched_signatures_take(s, &in);
        assert_false(in.ok);
        isp_buf_finish(&b);
    }
    sched_signatures_destroy(s);
}

static void words_of_types(void **state)
{
    (void)state;
    struct sched_signatures *s = sched_signatures_create();
    struct isp_buf b;
    isp_buf_init(&b);
    const uint64_t numbers[] = {3, ISP_BASIC_DOUBLE, 1, ISP_BASIC_INT, 2, ISP_TYPE_TOLD};
    isp_put_u32(&b, 2);
    for (unsigned i = 0; i < 6; i += 2) {
        if (i != 2)
            isp_put_u32(&b, i ? 1 : 2);
        isp_put_u64(&b, numbers[i]);
        isp_put_u32(&b, (uint32_t)numbers[i + 1]);
    }
    struct isp_reader in = isp_reader_of(b.data, b.size);
    uint32_t type = sched_signatures_take(s, &in);
    assert_true(in.ok);
    char *words = sched_signature_words(s, type, 5);
    assert_string_equal(words, "5 {2 {3 MPI_DOUBLE, MPI_INT}}");
    free(words);
    words = sched_signature_words(s, ISP_BASIC_INT, 1);
    assert_string_equal(words, "1 MPI_INT");
    free(words);
    isp_buf_finish(&b);
    sched_signatures_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joining_is_associative),   cmocka_unit_test(repeating_is_joining_often),
        cmocka_unit_test(short_sequences_differ),   cmocka_unit_test(names_that_match),
        cmocka_unit_test(trees_say_what_they_hold), cmocka_unit_test(broken_trees_are_refused),
        cmocka_unit_test(words_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
