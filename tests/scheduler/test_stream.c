/* SPDX-License-Identifier: BSD-3-Clause */
/* What a world prints is passed on as it is, but for what the launcher says of itself. Texts come in pieces
 * of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "launch/stream.h"

#define BAR "===================================================================================\n"
#define BLOCK                                                             \
    "\n" BAR "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n" \
    "=   PID 4711 RUNNING AT here\n=   EXIT CODE: 11\n"                   \
    "=   CLEANING UP REMAINING PROCESSES\n"                               \
    "=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n" BAR
#define SIGNAL                                                                           \
    "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n" \
    "This typically refers to a problem with your application.\n"                        \
    "Please see the FAQ page for debugging suggestions\n"

/* Sends the text in pieces, each of which is read before the next. */
static char *passed(const char *text, size_t piece)
{
    static char got[1 << 16];
    int to[2], end;
    struct event_base *base = event_base_new();
    assert_int_equal(pipe(to), 0);
    struct sched_stream *s = sched_stream_create(base, to[1], SIZE_MAX, &end);
    sched_stream_hush(s);
    for (size_t at = 0, n = strlen(text); at < n; at += piece) {
        size_t size = n - at < piece ? n - at : piece;
        assert_int_equal(write(end, text + at, size), size);
        sched_stream_words(s); /* reads */
    }
    close(end);
    sched_stream_destroy(s);
    event_base_free(base);
    close(to[1]);
    ssize_t n = read(to[0], got, sizeof got - 1);
    close(to[0]);
    got[n > 0 ? n : 0] = '\0';
    return got;
}

static void check(const char *text, const char *wanted)
{
    static const size_t pieces[] = {1, 2, 3, 7, 40, 83, 84, 85, 100, 4096};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        assert_string_equal(passed(text, pieces[i]), wanted);
}

static void test_launchers_words(void **state)
{
    (void)state;
    check(BLOCK, "");
    check("out\n" BLOCK SIGNAL, "out\n");
    check("no newline" BLOCK SIGNAL "more\n", "no newline\nmore\n");
    check("out\n" BLOCK SIGNAL "\n\nlate" BLOCK "end\n", "out\n\n\nlate\nend\n");
    check("a\n[proxy:0:0@here] something\nb\n[mpiexec@here] else\n", "a\nb\n");
}

static void test_programs_words(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "\n\n\n",
        "x",
        "prompt> ",
        "=",
        "==\n",
        BAR,
        "\n" BAR,
        "\n" BAR "=   RESULTS\n" BAR "1 2 3\n" BAR,
        "\n" BAR BAR "\n" BAR "\n",
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n",
        "This typically refers to a problem with your application.\n",
        "[proxy\n[mpi\n[",
        "[mpiexec",
        "x" BAR "y\n",
        "======================================================================================\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(texts[i], texts[i]);
    char *longest = malloc(20001);
    memset(longest, '=', 20000);
    longest[20000] = '\0';
    check(longest, longest);
    memset(longest, '\n', 20000);
    check(longest, longest);
    free(longest);
}

/* A line that is not ended is not held back. */
static void test_prompt(void **state)
{
    (void)state;
    int to[2], end;
    char got[8] = "";
    struct event_base *base = event_base_new();
    assert_int_equal(pipe(to), 0);
    struct sched_stream *s = sched_stream_create(base, to[1], SIZE_MAX, &end);
    sched_stream_hush(s);
    assert_int_equal(write(end, "name? ", 6), 6);
    sched_stream_words(s);
    assert_int_equal(read(to[0], got, sizeof got), 6);
    assert_string_equal(got, "name? ");
    close(end);
    sched_stream_destroy(s);
    event_base_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launchers_words),
        cmocka_unit_test(test_programs_words),
        cmocka_unit_test(test_prompt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
