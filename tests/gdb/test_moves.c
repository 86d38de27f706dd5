/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves, stops, and where a rank stands; with gdb, on plain.c. */
#include "fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    fixture_init(f, "plain", "plain.c");
    *state = f;
    fixture_attach(f);
    return 0;
}

static int tear_down(void **state)
{
    fixture_finish(*state);
    free(*state);
    return 0;
}

static void stands_at_its_call(void **state)
{
    struct fixture *f = *state;
    size_t n = 0;
    fixture_stands(f, "main", "first", "MPI_Recv");
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 1, &n);
    assert_int_equal(n, 1); /* neither the read, nor what is in the library */
    assert_true(frames[0].level >= 2);
    assert_non_null(strstr(frames[0].module, "/plain"));
    assert_non_null(strstr(frames[0].file, "plain.c"));
    assert_true(frames[0].pc != 0);
    sched_gdb_frames_destroy(frames, n);
}

static void next_leaves_the_call(void **state)
{
    struct fixture *f = *state;
    fixture_give(f, 3);
    static const char *const lines[] = {"counter", "send", "hint", "reduce", "call", "two", "key", "second"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        fixture_move(f, SCHED_GDB_NEXT, NULL);
        fixture_stopped(f, SCHED_GDB_STEPPED);
        fixture_stands(f, "main", lines[i], NULL);
    }
}

static void steps(struct fixture *f, const char *const (*lines)[2], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fixture_move(f, SCHED_GDB_STEP, NULL);
        fixture_stopped(f, SCHED_GDB_STEPPED);
        fixture_stands(f, lines[i][0], lines[i][1], NULL);
    }
}

static void step_shows_no_library(void **state)
{
    static const char *const lines[][2] = {
        {"main", "counter"}, {"main", "send"},     {"main", "hint"},      {"main", "reduce"},
        {"main", "call"},    {"square", "square"}, {"square", "squared"}, {"square", "end of square"},
        {"main", "call"},    {"main", "two"},
    };
    fixture_give(*state, 3);
    steps(*state, lines, sizeof lines / sizeof *lines);
}

/* Out of a function that MPI has called. */
static void step_leaves_the_library(void **state)
{
    static const char *const lines[][2] = {
        {"add", "store"}, {"add", "added"}, {"main", "reduce"}, {"main", "call"}};
    struct fixture *f = *state;
    struct sched_gdb_breakpoint b;
    fixture_give(f, 3);
    assert_done(f, sched_gdb_break(f->gdb, "add", NULL, false, &b));
    sched_gdb_breakpoint_finish(&b);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stands(f, "add", "sum", NULL);
    steps(f, lines, sizeof lines / sizeof *lines);
}

static void next_may_wait(void **state)
{
    struct fixture *f = *state;
    assert_done(f, sched_gdb_move(f->gdb, SCHED_GDB_NEXT, NULL));
    assert_false(sched_gdb_is_stopped(f->gdb));
    assert_false(sched_gdb_await_stop(f->gdb, 0.3)); /* it receives */
    char *value = sched_gdb_evaluate(f->gdb, 0, "1");
    assert_null(value);
    assert_string_equal(sched_gdb_error(f->gdb), "the process runs");
    assert_done(f, sched_gdb_interrupt(f->gdb));
    assert_done(f, sched_gdb_await_stop(f->gdb, 30));
    fixture_stopped(f, SCHED_GDB_INTERRUPTED);
    fixture_stands(f, "main", "first", "MPI_Recv");
    fixture_give(f, 3);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "counter", NULL);
}

static void finish_and_until(void **state)
{
    struct fixture *f = *state;
    struct sched_gdb_breakpoint b;
    fixture_give(f, 3);
    assert_done(f, sched_gdb_break(f->gdb, "square", NULL, true, &b));
    assert_int_equal(b.line, fixture_line(f, "square"));
    sched_gdb_breakpoint_finish(&b);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_BREAKPOINT);
    fixture_stands(f, "square", "square", NULL);
    fixture_move(f, SCHED_GDB_FINISH, NULL);
    fixture_stopped(f, SCHED_GDB_FINISHED);
    assert_string_equal(f->returned, "16");
    fixture_stands(f, "main", "call", NULL);
    fixture_move(f, SCHED_GDB_UNTIL, fixture_place(f, "loop"));
    fixture_stands(f, "spin", "loop", NULL);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "spin", "body", NULL);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "spin", "loop", NULL);
    fixture_move(f, SCHED_GDB_UNTIL, NULL);
    fixture_stands(f, "spin", "after", NULL);
    fixture_move(f, SCHED_GDB_INSTRUCTION, NULL);
    fixture_stopped(f, SCHED_GDB_STEPPED);
}

/* Of a function that MPI has called. */
static void finish_into_mpi(void **state)
{
    struct fixture *f = *state;
    struct sched_gdb_breakpoint b;
    fixture_give(f, 3);
    assert_done(f, sched_gdb_break(f->gdb, "add", NULL, false, &b));
    sched_gdb_breakpoint_finish(&b);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
    assert_int_equal(n, 2); /* add, main; not MPI_Reduce between them */
    assert_string_equal(frames[1].function, "main");
    sched_gdb_frames_destroy(frames, n);
    fixture_move(f, SCHED_GDB_FINISH, NULL);
    fixture_stopped(f, SCHED_GDB_FINISHED);
    fixture_stands(f, "main", "reduce", NULL);
}

static void instruction_leaves_the_call(void **state)
{
    struct fixture *f = *state;
    fixture_give(f, 3);
    fixture_move(f, SCHED_GDB_INSTRUCTION, NULL);
    fixture_stopped(f, SCHED_GDB_STEPPED);
    fixture_stands(f, "main", "counter", NULL); /* where the call returns to */
}

static void to_fail(struct fixture *f, int how)
{
    fixture_give(f, 3);
    fixture_give(f, how);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
}

static void crash(void **state)
{
    struct fixture *f = *state;
    to_fail(f, 1);
    fixture_stopped(f, SCHED_GDB_SIGNAL);
    assert_string_equal(f->signal, "SIGSEGV");
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
    assert_true(n == 2 && strcmp(frames[0].function, "fail") == 0 &&
                frames[0].line == fixture_line(f, "memset"));
    sched_gdb_frames_destroy(frames, n);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_KILLED);
    assert_string_equal(f->signal, "SIGSEGV");
    assert_int_equal(sched_gdb_process(f->gdb), 0);
    assert_int_equal(WTERMSIG(fixture_reap(f)), SIGSEGV);
}

static void assertion(void **state)
{
    struct fixture *f = *state;
    to_fail(f, 2);
    fixture_stopped(f, SCHED_GDB_SIGNAL);
    assert_string_equal(f->signal, "SIGABRT");
    fixture_stands(f, "fail", "assert", "__GI___assert_fail");
}

static void trap(void **state)
{
    struct fixture *f = *state;
    to_fail(f, 3);
    fixture_stopped(f, SCHED_GDB_SIGNAL);
    assert_string_equal(f->signal, "SIGTRAP");
    fixture_stands(f, "fail", "trap", "__GI_raise");
}

static void abortion(void **state)
{
    struct fixture *f = *state;
    to_fail(f, 4);
    assert_string_equal(f->signal, "SIGABRT");
    fixture_stands(f, "fail", "abort", "__GI_abort");
}

static void interrupt(void **state)
{
    struct fixture *f = *state;
    fixture_give(f, 3);
    fixture_give(f, 5);
    for (int i = 0; i < 5; i++) {
        assert_done(f, sched_gdb_move(f->gdb, SCHED_GDB_CONTINUE, NULL));
        assert_false(sched_gdb_await_stop(f->gdb, i == 0 ? 1 : 0.05) /* it comes there */);
        assert_done(f, sched_gdb_interrupt(f->gdb));
        assert_done(f, sched_gdb_await_stop(f->gdb, 30));
        fixture_stopped(f, SCHED_GDB_INTERRUPTED);
        size_t n = 0;
        struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
        assert_string_equal(frames[0].function, "fail");
        sched_gdb_frames_destroy(frames, n);
    }
    assert_int_equal(f->stops, 5);
    assert_done(f, sched_gdb_interrupt(f->gdb)); /* it is stopped */
    assert_int_equal(f->stops, 5);
    assert_done(f, sched_gdb_detach(f->gdb));
    int status;
    assert_int_equal(waitpid(f->pid, &status, WNOHANG), 0); /* and runs */
}

static void ends(void **state)
{
    struct fixture *f = *state;
    to_fail(f, 6);
    fixture_stopped(f, SCHED_GDB_EXITED);
    assert_int_equal(f->stop.code, 5);
    assert_false(sched_gdb_move(f->gdb, SCHED_GDB_NEXT, NULL));
    assert_string_equal(sched_gdb_error(f->gdb), "there is no process");
    assert_int_equal(WEXITSTATUS(fixture_reap(f)), 5);
    assert_true(sched_gdb_detach(f->gdb));
    fixture_attach(f); /* the next one */
    fixture_stands(f, "main", "first", "MPI_Recv");
}

static void main_returns(void **state)
{
    struct fixture *f = *state;
    fixture_give(f, 3);
    fixture_give(f, 0);
    fixture_move(f, SCHED_GDB_UNTIL, fixture_place(f, "last"));
    fixture_stands(f, "main", "last", NULL);
    for (int i = 0; i < 3 && sched_gdb_process(f->gdb); i++)
        fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stopped(f, SCHED_GDB_EXITED);
    assert_int_equal(f->stop.code, 0);
}

int main(int argc, char **argv)
{
    fixture_begin(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(stands_at_its_call),
        TEST(next_leaves_the_call),
        TEST(step_shows_no_library),
        TEST(step_leaves_the_library),
        TEST(next_may_wait),
        TEST(finish_and_until),
        TEST(finish_into_mpi),
        TEST(instruction_leaves_the_call),
        TEST(crash),
        TEST(assertion),
        TEST(trap),
        TEST(abortion),
        TEST(interrupt),
        TEST(ends),
        TEST(main_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
