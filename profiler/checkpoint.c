/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parent waits until it has no children left: those of a child that was dropped (killed, because nobody will go back to
 * it) become the children of the process of level 0, which asks for that (PR_SET_CHILD_SUBREAPER). A rank that has children of its
 * own refuses to fork.
 */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "forked.h"
#include "lifecycle.h"
#include "uplink.h"

static uint32_t level;
static pid_t *line; /* the processes of levels 1 to `level`; 0: dropped */
static uint32_t line_room;
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
        if (line[i]) {
            kill(line[i], SIGKILL);
            line[i] = 0;
        }
}

/* ---- the child ---- */

static void begin_child(const struct prof_forked *state)
{
    level++;
    if (level >= line_room) {
        line_room = 2 * level;
        line = prof_grow(line, line_room, sizeof *line);
    }
    line[level] = getpid();
    prof_lifecycle_forked();
    prof_forked_child(state);
}

/* ---- the parent ---- */

/* The status of the last of the line. */
static int await_children(void)
{
    int status = 0, last;
    for (;;) {
        if (waitpid(-1, &last, 0) >= 0)
            status = last;
        else if (errno != EINTR)
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

static void stay(const struct prof_forked *state)
{
    int status = await_children();
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

/* True: act on the frame, as the child or for want of one. */
static bool go_on(void)
{
    const char *why = prof_forked_refuses();
    if (why) {
        refuse(why);
        return true;
    }
    struct prof_forked state;
    if (level == 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
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
    stay(&state);
    return false;
}

bool prof_checkpoint_go(uint8_t marks, uint32_t below)
{
    drop(below);
    const char *why = marks & ISP_GO_PROBE ? prof_forked_refuses() : NULL;
    if (why)
        refuse(why);
    if (!(marks & ISP_GO_FORK)) {
        if ((marks & ISP_GO_HUSH) && !hushed)
            hush();
        return true;
    }
    int error = errno;
    bool acts = go_on();
    if (acts && (marks & ISP_GO_HUSH) && !hushed)
        hush();
    errno = error;
    return acts;
}
