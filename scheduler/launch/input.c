/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipe is never read to its end before the program starts: it may stay open for ever (in CI it often does),
 * and the program may not want it. So isp stands between: what arrives is appended to `seen`, and a world
 * that is behind is written to whenever its pipe has room.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "isp/wire.h"

enum { MOST = 256 << 20 }; /* what is kept; a program that reads more gets no more */

static struct {
    enum { NOTHING, A_FILE, A_STREAM } kind;
    off_t at;
    struct isp_buf seen;
    bool ended;
} standard;

struct sched_input {
    int fd; /* the world's pipe, or -1 once it is closed */
    size_t given;
    struct event *arrival, *room;
};

void sched_input_remember(void)
{
    struct stat st;
    if (fstat(0, &st) < 0)
        return;
    standard.kind = S_ISREG(st.st_mode)                            ? A_FILE
                    : S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ? A_STREAM
                                                                   : NOTHING;
    standard.at = standard.kind == A_FILE ? lseek(0, 0, SEEK_CUR) : 0;
}

void sched_input_take_terminal(void)
{
    if (standard.kind == NOTHING && isatty(0))
        standard.kind = A_STREAM;
}

void sched_input_replace(int fd)
{
    dup2(fd, 0);
    close(fd);
    isp_buf_finish(&standard.seen);
    memset(&standard, 0, sizeof standard);
    sched_input_remember();
}

static int open_file(void)
{
    int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && lseek(fd, standard.at, SEEK_SET) >= 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void stop_feeding(struct sched_input *in)
{
    event_del(in->arrival);
    event_del(in->room);
    if (in->fd >= 0)
        close(in->fd);
    in->fd = -1;
}

static void on_room(int fd, short what, void *context)
{
    struct sched_input *in = context;
    size_t rest = standard.seen.size - in->given;
    ssize_t n = rest ? write(in->fd, standard.seen.data + in->given, rest) : 0;
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        stop_feeding(in); /* nobody reads it any more */
        return;
    }
    in->given += n > 0 ? (size_t)n : 0;
    if (in->given < standard.seen.size)
        return;
    event_del(in->room);
    if (standard.ended)
        stop_feeding(in);
}

/* Who reads a terminal in the background is stopped. */
static bool is_background(void) { return isatty(0) && tcgetpgrp(0) != getpgrp(); }

static void on_arrival(int fd, short what, void *context)
{
    struct sched_input *in = context;
    if (is_background()) {
        event_del(in->arrival);
        return;
    }
    isp_buf_reserve(&standard.seen, 64 << 10);
    ssize_t n = read(0, standard.seen.data + standard.seen.size, 64 << 10);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    standard.seen.size += n > 0 ? (size_t)n : 0;
    standard.ended = n <= 0 || standard.seen.size > MOST;
    if (standard.ended)
        event_del(in->arrival);
    event_add(in->room, NULL);
}

struct sched_input *sched_input_create(struct event_base *base, int *fd)
{
    int pair[2];
    if (standard.kind != A_STREAM || pipe2(pair, O_CLOEXEC) < 0) {
        *fd = standard.kind == A_FILE ? open_file() : open("/dev/null", O_RDONLY | O_CLOEXEC);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN); /* the program need not read it */
    fcntl(pair[1], F_SETFL, O_NONBLOCK);
    struct sched_input *in = sched_alloc(1, sizeof *in);
    *fd = pair[0];
    in->fd = pair[1];
    in->room = sched_must(event_new(base, in->fd, EV_WRITE | EV_PERSIST, on_room, in));
    in->arrival = sched_must(event_new(base, 0, EV_READ | EV_PERSIST, on_arrival, in));
    if (!standard.ended)
        event_add(in->arrival, NULL);
    event_add(in->room, NULL);
    return in;
}

void sched_input_destroy(struct sched_input *input)
{
    if (!input)
        return;
    stop_feeding(input);
    event_free(input->arrival);
    event_free(input->room);
    free(input);
}
