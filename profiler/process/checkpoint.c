/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child that ends as it was told to says so in memory that it shares with its parent, so that the parent
 * need not wait until the kernel has taken the child apart. One that dies otherwise is found by looking for
 * it now and then.
 *
 * The parent waits until it has no children left: those of a child that was dropped (killed, because nobody
 * will go back to it) become the children of the process of level 0, which asks for that
 * (PR_SET_CHILD_SUBREAPER). A rank that has children of its own refuses to fork.
 */
#include "checkpoint.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/own_memory.h"
#include "engine/hold.h"
#include "forked.h"
#include "lifecycle.h"
#include "link/uplink.h"
#include "rewind/rewind.h"
#include "state/compare.h"
#include "state/state.h"
#include "threads/mpi_threads.h"

/* Not in programs that are linked statically, which are not forked. */
#pragma weak prof_mpi_threads_stop
#pragma weak prof_mpi_threads_go_on
#pragma weak prof_mpi_threads_forked

enum { MOST_LEVELS = 1 << 20 };
enum { PATIENCE_MS = 1000 };

static uint32_t level;
static bool forked;   /* this process was, by a checkpoint */
static uint32_t born; /* the level that it was forked for */
/* The processes of levels 1 to `level`; several may be of one. Shared by all of them: what one has dropped
 * none may drop again, since the number may be that of another process by then. The first of all is for level
 * 0: that the whole line is over. */
static struct {
    pid_t pid; /* 0: dropped */
    /* Of the process that was forked for this level: */
    _Atomic uint32_t leaves; /* it has said that it is about to leave */
    _Atomic uint32_t below;  /* it has gone on, or ended, in the level of its parent, which is not where it
                                stayed any more */
} * line;
static pid_t left; /* the child that has said so, and was not waited for yet */
static bool hushed;

bool prof_checkpoint_is_child(void) { return forked; }

bool prof_checkpoint_leaves_quickly(void) { return forked && (hushed || prof_rewind_count() > 0); }

static void hush(void) { hushed = prof_forked_turn_away(1) && prof_forked_turn_away(2); }

/* The parent is not killed: what it has in memory may be needed (rewind/rewind.h). */
static void drop(uint32_t below)
{
    pid_t parent = below > 1 && level > 1 ? prof_own_ppid() : 0;
    for (uint32_t i = 1; i < below && i < level; i++) {
        pid_t pid = line[i].pid;
        if (!pid || pid == parent || pid == line[below < level ? below : level].pid)
            continue;
        kill(pid, SIGKILL);
        for (uint32_t k = i; k < below && line[k].pid == pid; k++)
            line[k].pid = 0;
    }
}

/* ---- the child ---- */

/* The child may read this process's memory (rewind/copies.h), also where Yama asks for leave. -1: `why` says
 * why not. */
static pid_t fork_readable(const char **why)
{
    if (!prof_mpi_threads_stop()) {
        *why = "threads of MPI's do not sleep";
        return -1;
    }
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    pid_t child = prof_lifecycle_fork();
    if (child == 0) {
        prof_mpi_threads_forked();
        return 0;
    }
    if (child > 0)
        prctl(PR_SET_PTRACER, child);
    else
        *why = strerror(errno);
    prof_mpi_threads_go_on();
    return child;
}

/* The launched process has threads of MPI's libraries, which go on writing while it sleeps. So a copy of it,
 * which has none, sleeps between it and the one that reads its memory, and ends with that. */
static void put_copy_between(void)
{
    const char *why;
    pid_t child = fork_readable(&why);
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
        _exit(0);
    }
    if (child < 0)
        return;
    prof_lifecycle_forked();
    prof_rewind_begin();
}

static void begin_child(void)
{
    bool first = !forked;
    forked = true;
    born = level + 1;
    left = 0;
    prof_lifecycle_forked();
    prof_forked_child();
    if (!first)
        prof_rewind_begin();
    else if (prof_rewind_is_possible())
        put_copy_between();
}

static void note_below(void)
{
    if (forked && level < born)
        atomic_store(&line[born].below, 1);
}

static bool is_over(void) { return line && atomic_load(&line[0].leaves); }

void prof_checkpoint_return(void)
{
    if (prof_rewind_count() > 0 && !is_over() && prof_forked_is_alone())
        prof_rewind_return();
}

void prof_checkpoint_over(void)
{
    if (line)
        atomic_store(&line[0].leaves, 1);
}

void prof_checkpoint_leave(int status)
{
    prof_checkpoint_return();
    if (forked) {
        note_below();
        atomic_store(&line[born].leaves, 1);
        syscall(SYS_futex, &line[born].leaves, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    _exit(status);
}

/* ---- the parent ---- */

/* A handler for SIGCHLD must not hear of a child that the program does not know. */
static bool may_leave_early(void)
{
    struct sigaction act;
    return sigaction(SIGCHLD, NULL, &act) == 0 && !(act.sa_flags & SA_SIGINFO) && act.sa_handler == SIG_DFL;
}

/* Also of the children of those that have left: level 0 gets them. One that does not end soon is a process of
 * the program, which has outlived the rank that made it. */
static void reap(void)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    if (!left)
        return;
    while (waitpid(left, NULL, 0) < 0 && errno == EINTR)
        ;
    left = 0;
    for (int i = 0; i < PATIENCE_MS; i++) {
        pid_t pid;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (pid < 0 && errno == ECHILD)
            return;
        nanosleep(&pause, NULL);
    }
}

/* True: the child has said that it leaves. False: it has not by now. */
static bool hears_leave(void)
{
    static const struct timespec pause = {.tv_nsec = 20000000};
    _Atomic uint32_t *leaves = &line[level + 1].leaves;
    if (!atomic_load(leaves))
        syscall(SYS_futex, leaves, FUTEX_WAIT, 0, &pause, NULL, 0);
    return atomic_load(leaves);
}

static void await_children(pid_t child)
{
    bool early = may_leave_early();
    for (;;) {
        if (early && hears_leave()) {
            left = child;
            return;
        }
        if (waitpid(-1, NULL, early ? WNOHANG : 0) < 0 && errno != EINTR)
            return;
    }
}

/* ---- both ---- */

static void refuse(const char *why)
{
    struct isp_buf *b = prof_link_begin(ISP_MSG_NO_FORK);
    isp_put_str(b, why);
    prof_link_end();
    prof_link_flush();
}

static const char *make_line(void)
{
    if (!line && !(line = prof_own_memory_map(MOST_LEVELS * sizeof *line)))
        return strerror(errno);
    return level + 1 < MOST_LEVELS ? NULL : "it was forked too often";
}

static void begin_level(const struct prof_forked *state)
{
    line[++level].pid = prof_own_pid();
    prof_forked_go_on(state);
}

/* This process is where it was when it was asked to stay so, in the level that it had then. lost: that level
 * has gone on since. */
static void stay(const struct prof_forked *state, bool lost)
{
    bool whole = prof_forked_again(state);
    prof_link_forget_input();
    struct isp_buf *b = prof_link_begin(ISP_MSG_BACK);
    isp_put_u32(b, level);
    isp_put_u8(b, !forked);
    isp_put_u8(b, whole);
    isp_put_u8(b, lost);
    prof_link_end();
    prof_link_flush();
}

static const char *look(void)
{
    const char *why = prof_forked_refuses();
    return why ? why : make_line();
}

/* True: act on the frame. False: that was done, and is over. A child that can go back by itself first makes
 * sure that it can come back here, and then goes on: its parent is not woken until it ends. */
static bool go_on(void)
{
    const char *why = look();
    if (why) {
        refuse(why);
        return true;
    }
    struct prof_forked state;
    if (!forked)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    prof_forked_prepare(&state);
    enum prof_rewind noted = prof_rewind_note();
    if (noted == PROF_REWIND_NONE) {
        atomic_store(&line[level + 1].leaves, 0);
        atomic_store(&line[level + 1].below, 0);
        pid_t child = fork_readable(&why);
        if (child > 0) {
            await_children(child);
            if (is_over())
                prof_checkpoint_leave(0);
            bool below = atomic_load(&line[level + 1].below);
            if (forked && below) {
                reap();
                prof_checkpoint_leave(0); /* what the child ended is this process's level */
            }
            stay(&state, below);
            return false;
        }
        if (child < 0) {
            prof_forked_again(&state);
            refuse(why);
            return true;
        }
        begin_child();
        noted = prof_rewind_note();
    }
    if (noted == PROF_REWIND_BACK) {
        if (hushed)
            hush(); /* again: the run may have turned it elsewhere */
        prof_forked_back();
        stay(&state, false);
        return false;
    }
    begin_level(&state);
    return true;
}

/* It goes on waiting where it is: nothing that it does later depends on this. */
static void tell_state(void)
{
    struct prof_hash hash;
    int error = errno;
    const char *why = prof_forked_refuses();
    why = why ? why : prof_state_of_rank(&hash);
    struct isp_buf *b = prof_link_begin(ISP_MSG_STATE);
    isp_put_u8(b, !why);
    isp_put_u64(b, why ? 0 : hash.low);
    isp_put_u64(b, why ? 0 : hash.high);
    isp_put_str(b, why ? why : "");
    prof_link_end();
    prof_link_flush();
    errno = error;
}

bool prof_checkpoint_go(uint8_t marks, uint32_t below)
{
    if (marks & ISP_GO_STATE) {
        tell_state();
        return true; /* there is nothing else in the frame */
    }
    if (marks & (ISP_GO_KEEP | ISP_GO_COMPARE)) {
        int before = errno;
        marks &ISP_GO_KEEP ? prof_compare_keep(below) : prof_compare_tell(below);
        errno = before;
        return true;
    }
    drop(below);
    reap();
    const char *why = marks & ISP_GO_PROBE ? prof_forked_refuses() : NULL;
    if (why)
        refuse(why);
    int error = errno;
    bool acts = !(marks & ISP_GO_FORK) || go_on();
    if (acts) {
        note_below();
        prof_rewind_moved();
    }
    if (acts && marks & ISP_GO_FORK)
        prof_hold_may_be_traced();
    if (acts && (marks & ISP_GO_HUSH) && !hushed)
        hush();
    errno = error;
    return acts;
}
