/* SPDX-License-Identifier: BSD-3-Clause */
/* A gdb from its start to its end, and the processes that it is attached to: see gdb.h. */
#include "gdb.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "session.h"
#include "start.h"

enum { START_S = 300, STOP_S = 30, END_S = 2 };

/* What is set once. Signals: the program gets its own without a word, but for those that end it when
 * something is wrong; SIGSTOP is how a rank is interrupted, and never reaches it. Of those that isp uses in
 * the ranks: passing.c. What is skipped is so for speed; leaving what is not the program's own is done in any
 * case (move.c). */
static const char *const settings[] = {
    "-gdb-set mi-async on",
    "-gdb-set confirm off",
    "-gdb-set width 0",
    "-gdb-set height 0",
    "-gdb-set debuginfod enabled off",
    "-gdb-set breakpoint pending on",
    "-gdb-set breakpoint always-inserted off",
    "-gdb-set unwindonsignal on",
    "-gdb-set print thread-events off",
    "-gdb-set print inferior-events off",
    "-enable-pretty-printing",
    "-interpreter-exec console \"handle all nostop noprint pass\"",
    "-interpreter-exec console \"handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS stop print pass\"",
    "-interpreter-exec console \"handle SIGTRAP stop print nopass\"",
    "-interpreter-exec console \"handle SIGSTOP stop print nopass\"",
    "-interpreter-exec console \"skip -rfu ^(isp_)?P?MPIX?_\"",
    "-interpreter-exec console \"skip -rfu ^p?mpir?_.*_$\"",
    "-interpreter-exec console \"skip -rfu ^prof_\"",
};

/* ---- gdb itself ---- */

static bool is_ready(struct sched_gdb *g, void *context) { return *(bool *)context || !g->pid; }

static void on_ready(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    *(bool *)context = r != NULL;
}

/* It reads the symbols before it looks at the first command. */
static bool await_symbols(struct sched_gdb *g)
{
    static bool ready;
    ready = false;
    sched_gdb_send(g, on_ready, &ready, "-gdb-set confirm off");
    return sched_gdb_turn(g, is_ready, &ready, START_S) && ready;
}

static bool set_up(struct sched_gdb *g)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!sched_gdb_do(g, "%s", settings[i]) && !g->pid)
            return false; /* what an older one does not know is left as it is */
    return true;
}

static bool start(struct sched_gdb *g, const char *program)
{
    const char *name = g->host.gdb ? g->host.gdb : "gdb";
    char *const argv[] = {(char *)name, "-nx", "-q", "--interpreter=mi3", "--", (char *)program, NULL};
    int fd;
    pid_t pid = sched_gdb_start(argv, &fd);
    if (pid < 0) {
        sched_gdb_fail(g, "cannot start %s: %s%s", name, strerror(errno),
                       errno == ENOENT ? " (the debugger needs gdb)" : "");
        return false;
    }
    g->pid = pid;
    evutil_make_socket_nonblocking(fd);
    g->stream = sched_must(bufferevent_socket_new(g->host.base, fd, BEV_OPT_CLOSE_ON_FREE));
    bufferevent_setcb(g->stream, sched_gdb_on_stream, NULL, sched_gdb_on_end, g);
    bufferevent_enable(g->stream, EV_READ | EV_WRITE);
    return await_symbols(g) && set_up(g);
}

struct sched_gdb *sched_gdb_create(const struct sched_gdb_host *host, const char *program, char **why)
{
    struct sched_gdb *g = sched_alloc(1, sizeof *g);
    g->host = *host;
    if (start(g, program))
        return g;
    *why = sched_strdup(sched_gdb_error(g));
    sched_gdb_destroy(g);
    return NULL;
}

static bool has_ended(struct sched_gdb *g, void *context) { return !g->pid; }

void sched_gdb_destroy(struct sched_gdb *g)
{
    if (!g)
        return;
    g->is_dying = true;
    g->host.interrupted = NULL;
    if (g->pid)
        sched_gdb_detach(g);
    if (g->pid) {
        sched_gdb_send(g, NULL, NULL, "-gdb-exit");
        sched_gdb_turn(g, has_ended, NULL, END_S);
    }
    sched_gdb_end(g, "ended");
    sched_gdb_forget(g);
    json_decref(g->stop_values);
    json_decref(g->stop_start);
    free(g->moving.place);
    free(g->moving.function);
    free(g->watchpoints);
    free(g->handles);
    free(g->waiting);
    free(g->said);
    free(g->error);
    free(g);
}

pid_t sched_gdb_pid(const struct sched_gdb *g) { return g->pid; }
pid_t sched_gdb_process(const struct sched_gdb *g) { return g->process; }
bool sched_gdb_is_stopped(const struct sched_gdb *g) { return g->state == STOPPED; }

/* ---- its process ---- */

static bool has_attached(struct sched_gdb *g, void *context) { return g->state != ATTACHING; }

static bool fail_to_attach(struct sched_gdb *g, pid_t pid)
{
    char *why = sched_strdup(sched_gdb_error(g));
    g->process = 0;
    if (g->pid)
        g->state = NO_PROCESS;
    sched_gdb_fail(g, "cannot attach to process %d: %s", (int)pid, why);
    free(why);
    return false;
}

bool sched_gdb_attach(struct sched_gdb *g, pid_t pid)
{
    if (!g->pid)
        return false;
    if (g->state != NO_PROCESS) {
        sched_gdb_fail(g, "process %d is still attached", (int)g->process);
        return false;
    }
    sched_gdb_forget(g);
    g->state = ATTACHING;
    g->process = pid;
    g->thread = 1;
    g->asked_to_stop = false;
    if (!sched_gdb_do(g, "-target-attach %d", (int)pid) || !sched_gdb_turn(g, has_attached, NULL, STOP_S) ||
        g->state != STOPPED)
        return fail_to_attach(g, pid);
    sched_gdb_share_symbols(g);
    sched_gdb_breakpoints_again(g);
    return true;
}

static void delete_watchpoints(struct sched_gdb *g)
{
    for (size_t i = 0; i < g->n_watchpoints && g->pid; i++)
        sched_gdb_do(g, "-break-delete %d", g->watchpoints[i]);
    free(g->watchpoints);
    g->watchpoints = NULL, g->n_watchpoints = 0;
}

void sched_gdb_owe_nothing(struct sched_gdb *g) { g->owes_trap = false; }

bool sched_gdb_detach(struct sched_gdb *g)
{
    if (g->state == RUNNING && !(sched_gdb_interrupt(g) && sched_gdb_await_stop(g, STOP_S)))
        return false;
    if (!g->pid)
        return g->is_dying;
    delete_watchpoints(g);
    if (g->state == NO_PROCESS)
        return true;
    if (g->owes_trap)
        kill(g->process, SIGTRAP);
    g->owes_trap = false;
    /* One that was killed meanwhile cannot be let go, and gdb says so; it forgets it all the same. */
    bool done = sched_gdb_do(g, "-target-detach");
    if (!done && g->pid && kill(g->process, 0) < 0 && errno == ESRCH)
        done = sched_gdb_do(g, "-interpreter-exec console \"kill\"") || g->state == NO_PROCESS;
    if (!done)
        return false;
    g->state = NO_PROCESS;
    g->process = 0;
    sched_gdb_forget(g);
    return true;
}
