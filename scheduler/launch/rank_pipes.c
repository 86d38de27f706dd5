/* SPDX-License-Identifier: BSD-3-Clause */
/* See rank_pipes.h. */
#include "rank_pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "isp/wire.h"

enum { PIECE = 16384 };

struct rank_pipe {
    struct sched_rank_pipes *of;
    struct event *event;
    int fd, rank;
    bool error;
};

struct sched_rank_pipes {
    struct sched_rank_reader reader;
    struct rank_pipe *all;
    size_t n; /* open */
};

/* How much; 0: there is nothing now. */
static size_t read_piece(const struct rank_pipe *p)
{
    char bytes[PIECE];
    ssize_t n;
    do
        n = read(p->fd, bytes, sizeof bytes);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        p->of->reader.take(p->of->reader.context, p->rank, p->error, bytes, (size_t)n);
    return n > 0 ? (size_t)n : 0;
}

static void on_readable(int fd, short what, void *context) { read_piece(context); }

/* isp can write to it as well: so there is no end of file as long as no rank has it, or has it any more. */
static int make_pipe(const char *folder, int fd, int rank)
{
    char *path = sched_format("%s/" ISP_PIPE_NAME, folder, fd, rank);
    int pipe = mkfifo(path, 0600) == 0 ? open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : -1;
    free(path);
    return pipe;
}

struct sched_rank_pipes *sched_rank_pipes_create(struct event_base *base, const char *folder, int ranks,
                                                 struct sched_rank_reader reader)
{
    struct sched_rank_pipes *pipes = sched_alloc(1, sizeof *pipes);
    *pipes = (struct sched_rank_pipes){.reader = reader};
    pipes->all = sched_alloc(2 * (size_t)ranks, sizeof *pipes->all);
    for (int i = 0; i < 2 * ranks; i++) {
        struct rank_pipe *p = &pipes->all[i];
        *p = (struct rank_pipe){.of = pipes, .rank = i / 2, .error = i % 2};
        p->fd = make_pipe(folder, p->error ? STDERR_FILENO : STDOUT_FILENO, p->rank);
        if (p->fd < 0) {
            sched_rank_pipes_destroy(pipes);
            return NULL;
        }
        pipes->n++;
        p->event = sched_must(event_new(base, p->fd, EV_READ | EV_PERSIST, on_readable, p));
        event_add(p->event, NULL);
    }
    return pipes;
}

void sched_rank_pipes_drain(struct sched_rank_pipes *pipes)
{
    for (size_t i = 0; pipes && i < pipes->n; i++) {
        const struct rank_pipe *p = &pipes->all[i];
        int room = fcntl(p->fd, F_GETPIPE_SZ);
        for (size_t n = 1, all = 0; n > 0 && room > 0 && all < (size_t)room; all += n)
            n = read_piece(p);
    }
}

void sched_rank_pipes_destroy(struct sched_rank_pipes *pipes)
{
    if (!pipes)
        return;
    sched_rank_pipes_drain(pipes);
    for (size_t i = 0; i < pipes->n; i++) {
        event_free(pipes->all[i].event);
        close(pipes->all[i].fd);
    }
    free(pipes->all);
    free(pipes);
}
