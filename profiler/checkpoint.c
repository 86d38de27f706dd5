/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A child that ends as it was told to says so in memory that it shares with its parent, so that the parent need not wait until the kernel has
 * taken the child apart. One that dies otherwise is found by looking for it now and then.
 *
 * The parent waits until it has no children left: those of a child that was dropped (killed, because nobody will go back to
 * it) become the children of the process of level 0, which asks for that (PR_SET_CHILD_SUBREAPER). A rank that has children of its
 * own refuses to fork.
 */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
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

#include "forked.h"
#include "lifecycle.h"
#include "uplink.h"

enum { MOST_LEVELS = 1 << 20 };
enum { PATIENCE_MS = 1000 };

static uint32_t level;
/* The processes of levels 1 to `level`. Shared by all of them: what one has dropped none may drop again, since the number may
 * be that of another process by then. */
static struct {
    pid_t pid; /* 0: dropped */
    _Atomic uint32_t leaves; /* it has said that it is about to leave */
} *line;
static pid_t left; /* the child that has said so, and was not waited for yet */
static bool hushed;

bool prof_checkpoint_is_child(void)
{
    return level > 0;
}

bool prof_checkpoint_is_hushed(void)
{
    return level > 0 && hushed;
}

static void hush(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0)
        return;
    dup2(null, 1);
    dup2(null, 2);
    close(null);
    hushed = true;
}

static void drop(uint32_t below)
{
    for (uint32_t i = 1; i < below && i < level; i++)
        if (line[i].pid) {
            kill(line[i].pid, SIGKILL);
            line[i].pid = 0;
        }
}

/* ---- the child ---- */

static void begin_child(const struct prof_forked *state)
{
    line[++level].pid = getpid();
    left = 0;
    prof_lifecycle_forked();
    prof_forked_child(state);
}

/* ---- the parent ---- */

void prof_checkpoint_leaves(void)
{
    if (level == 0)
        return;
    atomic_store(&line[level].leaves, 1);
    syscall(SYS_futex, &line[level].leaves, FUTEX_WAKE, 1, NULL, NULL, 0);
}

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

/* The status of the last of the line; 0 if it has left as it was told to. */
static int await_children(pid_t child)
{
    int status = 0, last;
    bool early = may_leave_early();
    for (;;) {
        if (early && hears_leave()) {
            left = child;
            return 0;
        }
        pid_t pid = waitpid(-1, &last, early ? WNOHANG : 0);
        if (pid > 0)
            status = last;
        else if (pid < 0 && errno != EINTR)
            return status;
    }
}

static void tell_back(int status, bool whole)
{
    struct isp_buf *b = prof_link_begin(ISP_MSG_BACK);
    isp_put_u32(b, level);
    isp_put_i32(b, status);
    isp_put_u8(b, whole);
    prof_link_end();
    prof_link_flush();
}

static void stay(const struct prof_forked *state, pid_t child)
{
    int status = await_children(child);
    bool whole = prof_forked_again(state);
    prof_link_forget_input();
    tell_back(status, whole);
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
    void *map = line ? line : mmap(NULL, MOST_LEVELS * sizeof *line, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return strerror(errno);
    line = map;
    return level + 1 < MOST_LEVELS ? NULL : "it was forked too often";
}

/* True: act on the frame, as the child or for want of one. */
static bool go_on(void)
{
    const char *why = prof_forked_refuses();
    if (!why)
        why = make_line();
    if (why) {
        refuse(why);
        return true;
    }
    struct prof_forked state;
    if (level == 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    atomic_store(&line[level + 1].leaves, 0);
    prof_forked_prepare(&state);
    pid_t child = prof_lifecycle_fork();
    if (child == 0) {
        begin_child(&state);
        return true;
    }
    if (child < 0) {
        prof_forked_again(&state);
        refuse(strerror(errno));
        return true;
    }
    stay(&state, child);
    return false;
}

bool prof_checkpoint_go(uint8_t marks, uint32_t below)
{
    drop(below);
    reap();
    const char *why = marks & ISP_GO_PROBE ? prof_forked_refuses() : NULL;
    if (why)
        refuse(why);
    int error = errno;
    bool acts = !(marks & ISP_GO_FORK) || go_on();
    if (acts && (marks & ISP_GO_HUSH) && !hushed)
        hush();
    errno = error;
    return acts;
}
