/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions, variables, memory, threads, in C, C++ and Fortran. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

static int set_up(void **state, const char *program, const char *source)
{
    struct fixture *f = malloc(sizeof *f);
    fixture_init(f, program, source);
    *state = f;
    fixture_attach(f);
    if (strcmp(program, "threads") != 0) /* where one thread waits while the other one is looked at */
        fixture_give(f, 3);
    return 0;
}

static int set_up_c(void **state) { return set_up(state, "plain", "plain.c"); }
static int set_up_threads(void **state) { return set_up(state, "threads", "threads.c"); }
static int set_up_cxx(void **state) { return set_up(state, "classes", "classes.cc"); }
static int set_up_fortran(void **state) { return set_up(state, "loop", "loop.f90"); }

static int tear_down(void **state)
{
    fixture_finish(*state);
    free(*state);
    return 0;
}

/* The frame where the rank stands. */
static int level(struct fixture *f)
{
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
    int first = n ? frames[0].level : 0;
    sched_gdb_frames_destroy(frames, n);
    return first;
}

static void check_value(struct fixture *f, const char *expression, const char *expected)
{
    char *value = sched_gdb_evaluate(f->gdb, level(f), expression);
    if (!value)
        fail_msg("%s: %s", expression, sched_gdb_error(f->gdb));
    assert_string_equal(value, expected);
    free(value);
}

static void check_error(struct fixture *f, const char *expression, const char *part)
{
    char *value = sched_gdb_evaluate(f->gdb, level(f), expression);
    assert_null(value);
    if (!strstr(sched_gdb_error(f->gdb), part))
        fail_msg("%s: %s", expression, sched_gdb_error(f->gdb));
}

static const struct sched_gdb_value *named(const struct sched_gdb_value *values, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(values[i].name, name) == 0)
            return &values[i];
    fail_msg("no %s", name);
    return NULL;
}

static void run_to(struct fixture *f, const char *word)
{
    struct sched_gdb_breakpoint b;
    assert_done(f, sched_gdb_break(f->gdb, fixture_place(f, word), NULL, true, &b));
    assert_false(b.is_pending);
    sched_gdb_breakpoint_finish(&b);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_BREAKPOINT);
}

/* gdb 13 cannot write the registers of processors with AMX, and so call no function of the program's. */
static bool can_call(struct fixture *f)
{
    char *value = sched_gdb_evaluate(f->gdb, level(f), f->source[0] == 'p' ? "square(5)" : "cell.total()");
    bool can = value || !strstr(sched_gdb_error(f->gdb), "extended state");
    if (!can)
        print_message("gdb cannot call functions here: %s\n", sched_gdb_error(f->gdb));
    free(value);
    return can;
}

static void expressions(void **state)
{
    struct fixture *f = *state;
    check_value(f, "1 + 2", "3");
    check_value(f, "value", "0"); /* in main, not in the read */
    check_value(f, "head.key * 2", "14");
    check_value(f, "list->weight", "2.5");
    check_value(f, "counter = 9", "9");
    check_value(f, "counter", "9");
    if (can_call(f))
        check_value(f, "square(5)", "25");
    check_value(f, "sizeof(struct node)", "40");
    check_error(f, "nothing", "No symbol \"nothing\"");
    check_error(f, "1 +", "syntax error");
    check_error(f, "*(int *)8", "Cannot access memory");
    check_error(f, "\"", "Unterminated string");
    check_error(f, "1\n999-gdb-exit", ""); /* one line */
    assert_true(sched_gdb_pid(f->gdb) > 0);
}

static void without_symbol(void **state)
{
    struct fixture *f = *state;
    check_error(f, "sum", "No symbol");
    if (can_call(f))
        check_error(f, "abort()", "signal");
    fixture_stands(f, "main", "first", "MPI_Recv");
    check_value(f, "value", "0");
}

static void variables(void **state)
{
    struct fixture *f = *state;
    size_t n = 0, parts = 0;
    run_to(f, "key");
    struct sched_gdb_value *all = sched_gdb_variables(f->gdb, 0, &n), *inner;
    assert_done(f, all);
    assert_int_equal(n, 3);
    assert_string_equal(named(all, n, "how")->value, "0");
    assert_string_equal(named(all, n, "how")->type, "int");
    assert_null(named(all, n, "how")->handle);
    assert_string_equal(named(all, n, "list")->type, "struct node *");
    assert_non_null(named(all, n, "list")->handle);
    inner = sched_gdb_parts(f->gdb, named(all, n, "list")->handle, 0, 10, &parts);
    assert_done(f, inner);
    assert_int_equal(parts, 4);
    assert_string_equal(inner[1].name, "weight");
    assert_string_equal(inner[1].value, "2.5");
    assert_string_equal(inner[3].name, "many");
    size_t m = 0;
    struct sched_gdb_value *many = sched_gdb_parts(f->gdb, inner[3].handle, 1, 2, &m);
    assert_int_equal(m, 2);
    assert_string_equal(many[0].name, "[1]");
    assert_string_equal(many[0].value, "2");
    sched_gdb_values_destroy(many, m);
    char *handle = strdup(inner[3].handle);
    sched_gdb_values_destroy(inner, parts);
    sched_gdb_values_destroy(all, n);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    assert_null(sched_gdb_parts(f->gdb, handle, 0, 1, &m)); /* it has moved */
    free(handle);
}

static void arguments(void **state)
{
    struct fixture *f = *state;
    size_t n = 0;
    run_to(f, "sum");
    struct sched_gdb_value *all = sched_gdb_variables(f->gdb, 0, &n);
    assert_int_equal(n, 4);
    assert_true(named(all, n, "a")->is_argument && named(all, n, "result")->is_argument);
    assert_false(named(all, n, "sum")->is_argument);
    sched_gdb_values_destroy(all, n);
}

static void memory(void **state)
{
    struct fixture *f = *state;
    int many[4] = {0};
    uint64_t address, cfa = 0, pc = 0, sp = 0;
    int at = level(f);
    assert_done(f, sched_gdb_register(f->gdb, at, "pc", &pc));
    assert_done(f, sched_gdb_register(f->gdb, at, "sp", &sp));
    assert_done(f, sched_gdb_frame_address(f->gdb, at, &cfa));
    assert_true(cfa > sp && cfa < sp + 4096);
    assert_false(sched_gdb_register(f->gdb, at, "nonsense", &pc));
    assert_true(*sched_gdb_error(f->gdb));
    char *text = sched_gdb_evaluate(f->gdb, at, "(unsigned long)head.many");
    address = strtoull(text, NULL, 10);
    free(text);
    assert_done(f, sched_gdb_read(f->gdb, address, many, sizeof many));
    assert_int_equal(many[2], 3);
    assert_false(sched_gdb_read(f->gdb, 16, many, sizeof many));
    char *large = malloc(70000); /* of the C library's code */
    assert_done(f, sched_gdb_register(f->gdb, 0, "pc", &pc));
    assert_done(f, sched_gdb_read(f->gdb, pc - 70000 / 2, large, 70000));
    free(large);
}

static void threads_and_console(void **state)
{
    struct fixture *f = *state;
    size_t n = 0;
    struct sched_gdb_thread *threads = sched_gdb_threads(f->gdb, &n);
    assert_done(f, threads);
    assert_int_equal(n, 1);
    assert_int_equal(threads[0].id, f->pid);
    assert_true(threads[0].own);
    assert_string_equal(threads[0].name, "plain");
    sched_gdb_threads_destroy(threads, n);
    assert_done(f, sched_gdb_choose_thread(f->gdb, 1));
    assert_false(sched_gdb_choose_thread(f->gdb, 7));
    char *said = sched_gdb_console(f->gdb, "print head.key");
    assert_string_equal(said, "$1 = 7\n");
    free(said);
    assert_null(sched_gdb_console(f->gdb, "nonsense"));
    assert_non_null(strstr(sched_gdb_error(f->gdb), "Undefined command"));
    said = sched_gdb_console(f->gdb, "list square");
    assert_non_null(strstr(said, "int result = n * n;"));
    free(said);
    said = sched_gdb_console(f->gdb, "next"); /* it runs then */
    assert_done(f, said);
    free(said);
    assert_done(f, sched_gdb_await_stop(f->gdb, 30));
    said = sched_gdb_console(f->gdb, "kill");
    assert_done(f, said);
    free(said);
    assert_int_equal(sched_gdb_process(f->gdb), 0);
}

static void cxx(void **state)
{
    struct fixture *f = *state;
    size_t n = 0, parts = 0;
    fixture_stands(f, "main", "first", "MPI_Recv");
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "total", NULL);
    if (can_call(f))
        check_value(f, "cell.total()", "4");
    check_value(f, "name", "\"cell\"");
    check_value(f, "cell.many[1]", "5");
    struct sched_gdb_value *all = sched_gdb_variables(f->gdb, 0, &n), *inner;
    inner = sched_gdb_parts(f->gdb, named(all, n, "cell")->handle, 0, 10, &parts);
    assert_done(f, inner);
    assert_int_equal(parts, 3); /* "public" and "private" are no members */
    assert_string_equal(named(inner, parts, "key")->value, "3");
    struct sched_gdb_value *many;
    size_t m = 0;
    many = sched_gdb_parts(f->gdb, named(inner, parts, "many")->handle, 0, 10, &m);
    assert_true(m >= 1);
    sched_gdb_values_destroy(many, m);
    sched_gdb_values_destroy(inner, parts);
    sched_gdb_values_destroy(all, n);
    fixture_move(f, SCHED_GDB_STEP, NULL);
    fixture_stands(f, "grid::Cell::total", "sum", NULL);
    fixture_move(f, SCHED_GDB_FINISH, NULL);
    assert_string_equal(f->returned, "4");
    run_to(f, "send");
    fixture_move(f, SCHED_GDB_STEP, NULL);
    fixture_stands(f, "main", "if", NULL);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "throw", NULL);
    fixture_move(f, SCHED_GDB_NEXT, NULL); /* nobody catches it */
    fixture_stopped(f, SCHED_GDB_SIGNAL);
    size_t frames = 0;
    struct sched_gdb_frame *stack = sched_gdb_frames(f->gdb, 0, &frames);
    assert_int_equal(frames, 1);
    assert_int_equal(stack[0].line, fixture_line(f, "throw"));
    sched_gdb_frames_destroy(stack, frames);
}

static void fortran(void **state)
{
    struct fixture *f = *state;
    size_t n = 0;
    fixture_stands(f, "loop", "first", "MPI_Recv");
    check_value(f, "p%key + 1", "6");
    check_value(f, "table(2, 3)", "6");
    check_value(f, "value .eq. 0 .or. .true.", ".TRUE.");
    fixture_move(f, SCHED_GDB_STEP, NULL);
    fixture_stands(f, "loop", "do", NULL);
    check_value(f, "value", "3");
    run_to(f, "shift");
    fixture_stands(f, "shapes::shift", "shift", NULL);
    check_value(f, "by", "1");
    struct sched_gdb_value *all = sched_gdb_variables(f->gdb, 0, &n);
    assert_true(named(all, n, "by")->is_argument);
    sched_gdb_values_destroy(all, n);
    fixture_move(f, SCHED_GDB_FINISH, NULL);
    fixture_move(f, SCHED_GDB_UNTIL, fixture_place(f, "second"));
    fixture_stands(f, "loop", "second", NULL);
    check_value(f, "p%key", "8");
}

static void threads(void **state)
{
    struct fixture *f = *state;
    size_t n = 0;
    struct sched_gdb_thread *all = sched_gdb_threads(f->gdb, &n);
    assert_int_equal(n, 2);
    assert_true(all[0].own && all[1].own && all[0].id != all[1].id);
    int other = all[0].id == f->pid ? all[1].number : all[0].number;
    sched_gdb_threads_destroy(all, n);
    fixture_stands(f, "main", "first", "MPI_Recv");
    assert_done(f, sched_gdb_choose_thread(f->gdb, other));
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
    assert_done(f, frames);
    assert_int_equal(n, 1);
    assert_string_equal(frames[0].function, "compute");
    sched_gdb_frames_destroy(frames, n);
    fixture_move(f, SCHED_GDB_STEP, NULL);
    assert_int_equal(f->stop.thread, other);
    assert_done(f, sched_gdb_choose_thread(f->gdb, 1));
    fixture_give(f, 3);
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "done", NULL);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_EXITED);
    assert_int_equal(f->stop.code, 3);
}

int main(int argc, char **argv)
{
    fixture_begin(argc, argv);
#define TEST(name, language) cmocka_unit_test_setup_teardown(name, set_up_##language, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(threads, threads),       TEST(expressions, c), TEST(without_symbol, c),
        TEST(variables, c),           TEST(arguments, c),   TEST(memory, c),
        TEST(threads_and_console, c), TEST(cxx, cxx),       TEST(fortran, fortran),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
