/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks print, told apart (launch/apart.h): the same whatever the pieces in which it comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "launch/apart.h"

/* What was told: "RANK@AT:TEXT|", pieces of a rank that follow each other together. */
struct told {
    char *text;
    int rank;
    uint64_t next;
};

static void hear(void *context, int rank, bool error, uint64_t at, const char *bytes, size_t n)
{
    struct told *t = context;
    bool goes_on = t->text && rank == t->rank && (rank < 0 || at == t->next);
    char *longer =
        goes_on ? sched_format("%s%.*s", t->text, (int)n, bytes)
                : sched_format("%s|%d@%u:%.*s", t->text ? t->text : "", rank, (unsigned)at, (int)n, bytes);
    free(t->text);
    *t = (struct told){longer, rank, at + n};
    assert_true(error);
}

/* In pieces of so many bytes. What is left without marks is *plain. Caller frees both. */
static char *tell(const char *mark, const char *stream, size_t piece, char **plain)
{
    struct told told = {0};
    struct sched_printed printed = {hear, &told};
    uint64_t printed_so_far[3] = {0};
    struct sched_apart *a = sched_apart_create(&printed, mark, 3, true, printed_so_far);
    char room[64 + SCHED_APART_HELD];
    size_t left = strlen(stream);
    *plain = sched_strdup("");
    for (const char *at = stream; left > 0;) {
        size_t n = left < piece ? left : piece;
        memcpy(room, at, n);
        size_t kept = sched_apart_take(a, room, n);
        char *longer = sched_format("%s%.*s", *plain, (int)kept, room);
        free(*plain);
        *plain = longer;
        at += n;
        left -= n;
    }
    sched_apart_flush(a);
    sched_apart_destroy(a);
    return told.text ? told.text : sched_strdup("");
}

static void check(const char *mark, const char *stream, const char *expected, const char *expected_plain)
{
    for (size_t piece = 1; piece <= 64; piece++) {
        char *plain, *told = tell(mark, stream, piece, &plain);
        assert_string_equal(told, expected);
        if (expected_plain)
            assert_string_equal(plain, expected_plain);
        free(plain);
        free(told);
    }
}

static void marked(void **state)
{
    check("M:", "M:0:a\nM:1:b\nM:0:c\n", "|0@0:a\n|1@0:b\n|0@2:c\n", "a\nb\nc\n");
    check("M:", "M:2:part M:2:rest\nM:0:x", "|2@0:part rest\n|0@0:x", "part rest\nx");
}

static void not_marked(void **state)
{
    check("M:", "[mpiexec@host] says\nM:0:a\n[proxy] too\n", "|0@0:a\n",
          "[mpiexec@host] says\na\n[proxy] too\n");
    check("", "a\nM:1:b\n", "|-1@0:a\nM:1:b\n", "a\nM:1:b\n");
}

/* What only looks like one: no such rank, no number, no end. */
static void nearly_marked(void **state)
{
    check("M:", "M:0:M:9:M::M:x M:123456789:\n", "|0@0:M:9:M::M:x M:123456789:\n", NULL);
    check("M:", "M:1:aM", "|1@0:aM", NULL);
    check("M:", "M:1:aM:2", "|1@0:aM:2", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marked), cmocka_unit_test(not_marked),
                                       cmocka_unit_test(nearly_marked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
