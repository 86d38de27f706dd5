/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints over several processes; gdb that is missing, that dies, that may not attach. */
#include "fixture.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    fixture_init(f, "plain", "plain.c");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture_finish(*state);
    free(*state);
    return 0;
}

static int set_break(struct fixture *f, const char *place, const char *condition, bool once)
{
    struct sched_gdb_breakpoint b;
    assert_done(f, sched_gdb_break(f->gdb, place, condition, once, &b));
    int number = b.number;
    sched_gdb_breakpoint_finish(&b);
    return number;
}

static void breakpoints_stay(void **state)
{
    struct fixture *f = *state;
    int call = set_break(f, fixture_place(f, "call"), NULL, false); /* before there is a process */
    for (int i = 0; i < 3; i++) {
        fixture_attach(f);
        fixture_give(f, 3);
        fixture_move(f, SCHED_GDB_CONTINUE, NULL);
        fixture_stopped(f, SCHED_GDB_BREAKPOINT);
        assert_int_equal(f->stop.breakpoint, call);
        fixture_stands(f, "main", "call", NULL);
        assert_done(f, sched_gdb_detach(f->gdb));
        assert_int_equal(sched_gdb_process(f->gdb), 0);
        fixture_give(f, 6); /* and nothing is left in its memory */
        assert_int_equal(WEXITSTATUS(fixture_reap(f)), 5);
    }
}

static void conditions(void **state)
{
    struct fixture *f = *state;
    fixture_attach(f);
    fixture_give(f, 3);
    int body = set_break(f, fixture_place(f, "body"), "i == 1", false);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    char *i = sched_gdb_evaluate(f->gdb, 0, "i");
    assert_string_equal(i, "1");
    free(i);
    assert_done(f, sched_gdb_break_when(f->gdb, body, NULL));
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    i = sched_gdb_evaluate(f->gdb, 0, "i");
    assert_string_equal(i, "2");
    free(i);
    assert_false(sched_gdb_break_when(f->gdb, body, "nothing > 1"));
    assert_done(f, sched_gdb_break_enable(f->gdb, body, false));
    assert_done(f, sched_gdb_break_enable(f->gdb, body, true));
    assert_done(f, sched_gdb_break_delete(f->gdb, body));
    struct sched_gdb_breakpoint b;
    assert_false(sched_gdb_break(f->gdb, "plain.c:1 if (", NULL, false, &b));
    assert_done(f, sched_gdb_break(f->gdb, "not_yet", NULL, false, &b));
    assert_true(b.is_pending);
    sched_gdb_breakpoint_finish(&b);
}

/* The library's function has two names at one address; it is called once for each. */
static void of_mpi(void **state)
{
    struct fixture *f = *state;
    fixture_attach(f);
    fixture_give(f, 3);
    set_break(f, "MPI_Send", NULL, false);
    set_break(f, "MPI_Reduce", NULL, false);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stands(f, "main", "send", "MPI_Send");
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "hint", NULL);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stands(f, "main", "reduce", "MPI_Reduce");
}

static void watchpoints(void **state)
{
    struct fixture *f = *state;
    int number = 0, scope = 0;
    fixture_attach(f);
    fixture_give(f, 3);
    if (!sched_gdb_watch(f->gdb, 0, "counter", SCHED_GDB_WRITTEN, &number)) {
        print_message("no debug registers here: %s\n", sched_gdb_error(f->gdb));
        return;
    }
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_WATCHPOINT);
    assert_int_equal(f->stop.breakpoint, number);
    assert_string_equal(f->before, "0");
    assert_string_equal(f->now, "3");
    set_break(f, fixture_place(f, "squared"), NULL, true);
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    assert_done(f, sched_gdb_watch(f->gdb, 0, "result", SCHED_GDB_TOUCHED, &scope));
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_WATCHPOINT); /* it is returned */
    assert_string_equal(f->now, "16");
    while (f->stop.reason == SCHED_GDB_WATCHPOINT)
        fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_SCOPE);
    assert_int_equal(f->stop.breakpoint, scope);
    char *said = sched_gdb_console(f->gdb, "info breakpoints");
    assert_non_null(strstr(said, "hw watchpoint"));
    free(said);
    assert_done(f, sched_gdb_detach(f->gdb));
    said = sched_gdb_console(f->gdb, "info breakpoints");
    assert_null(strstr(said, "hw watchpoint"));
    free(said);
    assert_false(sched_gdb_watch(f->gdb, 0, "counter", SCHED_GDB_READ, &number));
}

static void not_attached(void **state)
{
    struct fixture *f = *state;
    size_t n;
    uint64_t value;
    assert_null(sched_gdb_frames(f->gdb, 0, &n));
    assert_string_equal(sched_gdb_error(f->gdb), "there is no process");
    assert_null(sched_gdb_variables(f->gdb, 0, &n));
    assert_null(sched_gdb_threads(f->gdb, &n));
    assert_false(sched_gdb_move(f->gdb, SCHED_GDB_NEXT, NULL));
    assert_false(sched_gdb_interrupt(f->gdb));
    assert_false(sched_gdb_read(f->gdb, 0, &n, 1));
    assert_false(sched_gdb_register(f->gdb, 0, "pc", &value));
    assert_true(sched_gdb_detach(f->gdb));
    assert_null(sched_gdb_last_stop(f->gdb));
    char *said = sched_gdb_console(f->gdb, "print 6 * 7");
    assert_string_equal(said, "$1 = 42\n");
    free(said);
}

static void refused(void **state)
{
    struct fixture *f = *state;
    assert_false(sched_gdb_attach(f->gdb, 0x3fffff));
    assert_non_null(strstr(sched_gdb_error(f->gdb), "cannot attach to process 4194303: "));
    struct fixture other;
    fixture_init(&other, "plain", "plain.c");
    fixture_attach(&other);
    assert_false(sched_gdb_attach(f->gdb, other.pid)); /* somebody else has it */
    assert_non_null(strstr(sched_gdb_error(f->gdb), "cannot attach"));
    assert_false(sched_gdb_attach(other.gdb, other.pid));
    assert_non_null(strstr(sched_gdb_error(other.gdb), "is still attached"));
    fixture_finish(&other);
    fixture_attach(f);
}

static void killed_while_stopped(void **state)
{
    struct fixture *f = *state;
    fixture_attach(f);
    kill(f->pid, SIGKILL);
    assert_true(sched_gdb_detach(f->gdb));
    fixture_reap(f);
    fixture_attach(f);
    assert_done(f, sched_gdb_move(f->gdb, SCHED_GDB_CONTINUE, NULL));
    kill(f->pid, SIGKILL);
    assert_done(f, sched_gdb_await_stop(f->gdb, 30));
    fixture_stopped(f, SCHED_GDB_KILLED);
    assert_string_equal(f->signal, "SIGKILL");
    fixture_reap(f);
    fixture_attach(f);
}

static void gdb_dies(void **state)
{
    struct fixture *f = *state;
    size_t n;
    fixture_attach(f);
    assert_done(f, sched_gdb_move(f->gdb, SCHED_GDB_NEXT, NULL));
    kill(sched_gdb_pid(f->gdb), SIGKILL);
    assert_true(sched_gdb_await_stop(f->gdb, 30));
    fixture_stopped(f, SCHED_GDB_GONE);
    assert_string_equal(sched_gdb_error(f->gdb), "gdb has ended");
    assert_int_equal(sched_gdb_pid(f->gdb), 0);
    assert_null(sched_gdb_frames(f->gdb, 0, &n));
    assert_false(sched_gdb_attach(f->gdb, f->pid));
    assert_string_equal(sched_gdb_error(f->gdb), "gdb has ended");
    assert_false(sched_gdb_detach(f->gdb));
}

static void gdb_dies_in_a_command(void **state)
{
    struct fixture *f = *state;
    fixture_attach(f);
    char *command = NULL;
    assert_true(asprintf(&command, "shell kill -9 %d", (int)sched_gdb_pid(f->gdb)) > 0);
    assert_null(sched_gdb_console(f->gdb, command));
    free(command);
    assert_string_equal(sched_gdb_error(f->gdb), "gdb has ended");
    assert_int_equal(f->stops, 1);
    fixture_stopped(f, SCHED_GDB_GONE);
}

static void gdb_hangs(void **state)
{
    struct event_base *base = event_base_new();
    struct fixture *f = *state;
    struct sched_gdb_host host = {.base = base, .patience_s = 0.5};
    char path[4096], *why = NULL;
    snprintf(path, sizeof path, "%s/plain", fixture_programs);
    struct sched_gdb *g = sched_gdb_create(&host, path, &why);
    assert_non_null(g);
    fixture_run(f);
    fixture_await_read(f);
    assert_null(sched_gdb_console(g, "shell sleep 30"));
    assert_true(*sched_gdb_error(g));
    sched_gdb_destroy(g);
    event_base_free(base);
}

/* A function of the program's that does not return. */
static void endless_expression(void **state)
{
    struct event_base *base = event_base_new();
    struct fixture *f = *state;
    struct sched_gdb_host host = {.base = base, .patience_s = 5};
    char path[4096], *why = NULL;
    snprintf(path, sizeof path, "%s/plain", fixture_programs);
    struct sched_gdb *g = sched_gdb_create(&host, path, &why);
    fixture_run(f);
    fixture_await_read(f);
    assert_true(sched_gdb_attach(g, f->pid));
    assert_null(sched_gdb_evaluate(g, 0, "fail(5)"));
    char *value = sched_gdb_evaluate(g, 0, "head.key");
    assert_string_equal(value, "7");
    free(value);
    sched_gdb_destroy(g);
    event_base_free(base);
}

static void no_gdb(void **state)
{
    struct event_base *base = event_base_new();
    char *why = NULL;
    struct sched_gdb_host host = {.base = base, .gdb = "/nowhere/gdb"};
    assert_null(sched_gdb_create(&host, "plain", &why));
    assert_string_equal(why, "cannot start /nowhere/gdb: No such file or directory (the debugger needs gdb)");
    free(why);
    host.gdb = "/bin/false";
    assert_null(sched_gdb_create(&host, "plain", &why));
    assert_string_equal(why, "gdb has ended");
    free(why);
    host.gdb = "/bin/cat"; /* answers nonsense, and ends */
    assert_null(sched_gdb_create(&host, "plain", &why));
    free(why);
    sched_gdb_destroy(NULL);
    event_base_free(base);
}

static void interrupted(void **state)
{
    struct fixture *f = *state;
    bool is = false;
    struct sched_gdb_host host = {.base = f->base, .interrupted = &is};
    char path[4096], *why = NULL;
    snprintf(path, sizeof path, "%s/plain", fixture_programs);
    struct sched_gdb *g = sched_gdb_create(&host, path, &why);
    assert_non_null(g);
    is = true;
    assert_null(sched_gdb_console(g, "shell sleep 5"));
    assert_string_equal(sched_gdb_error(g), "interrupted");
    sched_gdb_destroy(g);
}

static unsigned count_of(const char *folder)
{
    unsigned n = 0;
    DIR *dir = opendir(folder);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

static long resident_kb(pid_t pid)
{
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *in = fopen(path, "re");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (in)
        fclose(in);
    return kb;
}

static void many_processes(void **state)
{
    struct fixture *f = *state;
    char folder[64];
    unsigned own = 0, its = 0;
    long memory = 0;
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)sched_gdb_pid(f->gdb));
    set_break(f, "square", NULL, false);
    for (int i = 0; i < 100; i++) {
        fixture_attach(f);
        if (i == 10) {
            own = count_of("/proc/self/fd");
            its = count_of(folder);
            memory = resident_kb(sched_gdb_pid(f->gdb));
        }
        assert_done(f, sched_gdb_detach(f->gdb));
        kill(f->pid, SIGKILL);
        fixture_reap(f);
    }
    fixture_attach(f);
    assert_int_equal(count_of("/proc/self/fd"), own);
    assert_int_equal(count_of(folder), its);
    long grown = resident_kb(sched_gdb_pid(f->gdb)) - memory;
    print_message("gdb: %ld kB, %ld kB more after 90 attachments\n", memory, grown);
    assert_true(grown < 20000);
    pid_t gdb = sched_gdb_pid(f->gdb);
    sched_gdb_destroy(f->gdb);
    f->gdb = NULL;
    assert_int_equal(kill(gdb, 0), -1);
    assert_int_equal(waitpid(f->pid, NULL, WNOHANG), 0); /* let go */
}

/* Whoever has started it is killed. */
static void dies_with_isp(void **state)
{
    struct fixture *f = *state;
    int ends[2];
    fixture_run(f);
    fixture_await_read(f);
    assert_int_equal(pipe(ends), 0);
    pid_t isp = fork();
    if (isp == 0) {
        struct fixture inner;
        fixture_init(&inner, "plain", "plain.c");
        pid_t gdb = sched_gdb_attach(inner.gdb, f->pid) ? sched_gdb_pid(inner.gdb) : 0;
        if (write(ends[1], &gdb, sizeof gdb) < 0)
            _exit(1);
        raise(SIGKILL);
    }
    pid_t gdb = 0;
    assert_int_equal(read(ends[0], &gdb, sizeof gdb), sizeof gdb);
    assert_true(gdb > 0);
    waitpid(isp, NULL, 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/0", (int)gdb); /* gone, or a zombie that nobody has reaped yet */
    for (int tries = 0; tries < 4000 && access(path, F_OK) == 0; tries++)
        poll(NULL, 0, 5);
    assert_int_equal(access(path, F_OK), -1);
    close(ends[0]), close(ends[1]);
    fixture_give(f, 3);
    fixture_give(f, 6);
    assert_int_equal(WEXITSTATUS(fixture_reap(f)), 5);
}

int main(int argc, char **argv)
{
    fixture_begin(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(breakpoints_stay),
        TEST(conditions),
        TEST(of_mpi),
        TEST(watchpoints),
        TEST(not_attached),
        TEST(refused),
        TEST(killed_while_stopped),
        TEST(gdb_dies),
        TEST(gdb_dies_in_a_command),
        TEST(gdb_hangs),
        TEST(endless_expression),
        cmocka_unit_test(no_gdb),
        TEST(interrupted),
        TEST(dies_with_isp),
        TEST(many_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
