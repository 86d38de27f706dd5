/* SPDX-License-Identifier: BSD-3-Clause */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_S = 60 };

const char *fixture_programs, *fixture_sources;

void fixture_begin(int argc, char **argv)
{
    enum { SKIPPED = 77 };
    assert_true(argc > 2);
    fixture_programs = argv[1];
    fixture_sources = argv[2];
    signal(SIGPIPE, SIG_IGN); /* as isp does */
    if (system("gdb --version >/dev/null 2>&1") != 0) {
        printf("skipped: there is no gdb here\n");
        exit(SKIPPED);
    }
}

static void copy(char *to, const char *text) { snprintf(to, 64, "%s", text ? text : ""); }

static void on_stop(void *context, const struct sched_gdb_stop *stop)
{
    struct fixture *f = context;
    f->stops++;
    f->stop = *stop;
    copy(f->signal, stop->signal);
    copy(f->before, stop->before);
    copy(f->now, stop->now);
    copy(f->returned, stop->returned);
}

static void path_of(char *path, size_t room, const struct fixture *f)
{
    snprintf(path, room, "%s/%s", fixture_programs, f->program);
}

void fixture_init(struct fixture *f, const char *program, const char *source)
{
    char path[4096], *why = NULL;
    *f = (struct fixture){.program = program, .source = source, .base = event_base_new(), .input = -1};
    struct sched_gdb_host host = {.base = f->base, .on_stop = on_stop, .context = f};
    path_of(path, sizeof path, f);
    f->gdb = sched_gdb_create(&host, path, &why);
    if (!f->gdb)
        fail_msg("%s", why);
}

void fixture_finish(struct fixture *f)
{
    sched_gdb_destroy(f->gdb);
    fixture_reap(f);
    event_base_free(f->base);
}

void fixture_run(struct fixture *f)
{
    int ends[2];
    char path[4096];
    path_of(path, sizeof path, f);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    f->pid = fork();
    if (f->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        int nowhere = open("/dev/null", O_RDWR);
        dup2(ends[0], 0), dup2(nowhere, 1), dup2(nowhere, 2);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    f->input = ends[1];
}

void fixture_give(const struct fixture *f, int number)
{
    assert_int_equal(write(f->input, &number, sizeof number), sizeof number);
}

int fixture_reap(struct fixture *f)
{
    int status = -1;
    if (f->input >= 0)
        close(f->input);
    f->input = -1;
    for (int tries = 0; f->pid > 0 && waitpid(f->pid, &status, WNOHANG) == 0; tries++) {
        if (tries == 2000)
            kill(f->pid, SIGKILL);
        poll(NULL, 0, 5);
    }
    f->pid = 0;
    return status;
}

/* Sleeping in a system call whose number is that of read: 0 on x86-64, 63 on others. */
void fixture_await_read(const struct fixture *f)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)f->pid);
    for (int tries = 0; tries < 4000; tries++) {
        FILE *in = fopen(path, "re");
        bool found = in && fgets(text, sizeof text, in) &&
                     (!strncmp(text, "0 0x0 ", 6) || !strncmp(text, "63 0x0 ", 7));
        if (in)
            fclose(in);
        if (found)
            return;
        poll(NULL, 0, 5);
    }
    fail_msg("the program does not read");
}

void fixture_attach(struct fixture *f)
{
    fixture_run(f);
    fixture_await_read(f);
    assert_done(f, sched_gdb_attach(f->gdb, f->pid));
    assert_true(sched_gdb_is_stopped(f->gdb));
}

int fixture_line(const struct fixture *f, const char *word)
{
    char path[4096], line[512], mark[64];
    int number = 0, found = 0;
    snprintf(path, sizeof path, "%s/%s", fixture_sources, f->source);
    snprintf(mark, sizeof mark, "@%s", word);
    FILE *in = fopen(path, "re");
    while (in && !found && fgets(line, sizeof line, in)) {
        const char *at = strstr(line, mark);
        char behind = at ? at[strlen(mark)] : 'x';
        number++;
        if (behind == ' ' || behind == '\n')
            found = number;
    }
    if (in)
        fclose(in);
    assert_true(found > 0);
    return found;
}

const char *fixture_place(const struct fixture *f, const char *word)
{
    static char place[256];
    snprintf(place, sizeof place, "%s:%d", f->source, fixture_line(f, word));
    return place;
}

void fixture_move(struct fixture *f, enum sched_gdb_move move, const char *place)
{
    unsigned before = f->stops;
    assert_done(f, sched_gdb_move(f->gdb, move, place));
    assert_done(f, sched_gdb_await_stop(f->gdb, STOP_S));
    assert_int_equal(f->stops, before + 1);
}

void fixture_stands(struct fixture *f, const char *function, const char *word, const char *call)
{
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(f->gdb, 0, &n);
    assert_done(f, frames);
    assert_true(n > 0);
    assert_string_equal(frames[0].function, function);
    if (frames[0].line != fixture_line(f, word))
        fail_msg("in line %d instead of %d, @%s", frames[0].line, fixture_line(f, word), word);
    if (call) {
        assert_non_null(frames[0].call);
        assert_string_equal(frames[0].call, call);
    } else {
        assert_null(frames[0].call);
    }
    sched_gdb_frames_destroy(frames, n);
}

void fixture_stopped(const struct fixture *f, enum sched_gdb_reason reason)
{
    if (f->stop.reason != reason)
        fail_msg("stopped for reason %d (%s %s) instead of %d", f->stop.reason,
                 f->stop.name ? f->stop.name : "", f->signal, reason);
}
