/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank under isp: what isp does in it does not show, and what isp sees is the same. */
#include "fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *isp_program;
static char folder[] = "/tmp/isp-test-gdb-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static pid_t start_isp(const struct fixture *f)
{
    char program[4096];
    snprintf(program, sizeof program, "%s/%s", fixture_programs, f->program);
    pid_t isp = fork();
    if (isp == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int out = open(in_folder("out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        dup2(out, 1), dup2(out, 2);
        execl(isp_program, isp_program, "-n", "2", "--memory=watch", "--timeout", "0", program, folder,
              (char *)NULL);
        _exit(127);
    }
    return isp;
}

static pid_t await_rank(void)
{
    int pid = 0;
    for (int tries = 0; tries < 6000 && !pid; tries++) {
        FILE *in = fopen(in_folder("pid"), "re");
        if (in && fscanf(in, "%d", &pid) != 1)
            pid = 0;
        if (in)
            fclose(in);
        poll(NULL, 0, 10);
    }
    assert_true(pid > 0);
    return pid;
}

static void let_go_on(void)
{
    int fd = open(in_folder("go"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static char *read_output(void)
{
    static char text[1 << 16];
    FILE *in = fopen(in_folder("out"), "re");
    size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    text[n] = '\0';
    if (in)
        fclose(in);
    return text;
}

static void set_break(struct fixture *f, const char *place)
{
    struct sched_gdb_breakpoint b;
    assert_done(f, sched_gdb_break(f->gdb, place, NULL, true, &b));
    sched_gdb_breakpoint_finish(&b);
}

/* With NEXT over the function that touches it, with STEP in it, and with CONTINUE. */
static void go_through(struct fixture *f, enum sched_gdb_move how)
{
    set_break(f, fixture_place(f, "touch"));
    fixture_move(f, SCHED_GDB_CONTINUE, NULL);
    fixture_stopped(f, SCHED_GDB_BREAKPOINT);
    fixture_stands(f, "main", "touch", NULL);
    if (how == SCHED_GDB_CONTINUE) {
        set_break(f, "MPI_Barrier");
        fixture_move(f, SCHED_GDB_CONTINUE, NULL);
        fixture_stopped(f, SCHED_GDB_BREAKPOINT);
        fixture_stands(f, "main", "barrier", "MPI_Barrier");
    } else if (how == SCHED_GDB_NEXT) {
        static const char *const lines[] = {"store", "load", "waitall", "barrier"};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            fixture_move(f, SCHED_GDB_NEXT, NULL);
            fixture_stopped(f, SCHED_GDB_STEPPED);
            fixture_stands(f, "main", lines[i], NULL);
        }
    } else {
        fixture_move(f, SCHED_GDB_UNTIL, fixture_place(f, "sum"));
        for (int i = 0; i < 16; i++) { /* two lines for each of eight */
            fixture_move(f, SCHED_GDB_STEP, NULL);
            fixture_stopped(f, SCHED_GDB_STEPPED);
        }
        fixture_move(f, SCHED_GDB_FINISH, NULL);
        fixture_stopped(f, SCHED_GDB_FINISHED);
        fixture_stands(f, "main", "touch", NULL);
        fixture_move(f, SCHED_GDB_UNTIL, fixture_place(f, "barrier"));
    }
    fixture_move(f, SCHED_GDB_NEXT, NULL);
    fixture_stands(f, "main", "crash", NULL);
}

static void watch_under_isp(enum sched_gdb_move how)
{
    struct fixture f;
    strcpy(folder, "/tmp/isp-test-gdb-XXXXXX");
    assert_non_null(mkdtemp(folder));
    pid_t isp = start_isp(&(struct fixture){.program = "ranks"});
    pid_t rank = await_rank();
    fixture_init(&f, "ranks", "ranks.c");
    assert_done(&f, sched_gdb_attach(f.gdb, rank));
    let_go_on();
    go_through(&f, how);
    fixture_move(&f, SCHED_GDB_CONTINUE, NULL); /* the program's own */
    fixture_stopped(&f, SCHED_GDB_SIGNAL);
    assert_string_equal(f.signal, "SIGSEGV");
    fixture_stands(&f, "main", "crash", NULL);
    assert_done(&f, sched_gdb_detach(f.gdb));
    waitpid(isp, NULL, 0);
    char found[64];
    snprintf(found, sizeof found, "ranks.c:%d: error: rank 1 died of signal 11", fixture_line(&f, "crash"));
    if (!strstr(read_output(), found) || !strstr(read_output(), "receive-buffer-accessed"))
        fail_msg("%s", read_output());
    fixture_finish(&f);
    static const char *const names[] = {"pid", "go", "out", NULL};
    for (const char *const *n = names; *n; n++)
        unlink(in_folder(*n));
    rmdir(folder);
}

static void watched_next(void **state) { watch_under_isp(SCHED_GDB_NEXT); }
static void watched_step(void **state) { watch_under_isp(SCHED_GDB_STEP); }
static void watched_continue(void **state) { watch_under_isp(SCHED_GDB_CONTINUE); }

int main(int argc, char **argv)
{
    fixture_begin(argc, argv);
    isp_program = argv[3];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watched_next),
        cmocka_unit_test(watched_step),
        cmocka_unit_test(watched_continue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
