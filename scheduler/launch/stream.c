/* SPDX-License-Identifier: BSD-3-Clause */
/* See stream.h. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "apart.h"
#include "base/alloc.h"
#include "base/status_line.h"

enum { LINE = 4096, TAIL = 4096 };

struct sched_stream {
    struct event *event;
    int fd, to;  /* to: where it is passed on, or -1 */
    size_t left; /* so much of it, at most */
    bool hushed;
    bool blank; /* hushed: an empty line is held back; and the beginning of a line: */
    char line[LINE];
    size_t n_line;
    struct sched_apart *apart; /* or NULL */
    char tail[TAIL + 1];
    size_t n;
};

static void pass_on(struct sched_stream *s, const char *data, size_t size)
{
    size = size < s->left ? size : s->left;
    s->left -= size;
    sched_status_line_passes(s->to, data, size);
    while (size > 0) {
        ssize_t n = write(s->to, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        data += n;
        size -= (size_t)n;
    }
}

static void keep_tail(struct sched_stream *s, const char *data, size_t size)
{
    if (size >= TAIL) {
        data += size - TAIL;
        size = TAIL;
        s->n = 0;
    } else if (s->n + size > TAIL) {
        size_t drop = s->n + size - TAIL;
        memmove(s->tail, s->tail + drop, s->n - drop);
        s->n -= drop;
    }
    memcpy(s->tail + s->n, data, size);
    s->n += size;
    s->tail[s->n] = '\0';
}

/* Hydra's last words begin with an empty line and this bar, which programs print as well, but not of this
 * length. */
static bool is_bar(const struct sched_stream *s)
{
    enum { BAR = 83 };
    size_t n = 0;
    while (n < s->n_line && s->line[n] == '=')
        n++;
    return s->blank && n == BAR && s->n_line == BAR + 1;
}

/* Words of Hydra's own. */
static bool is_launchers(const struct sched_stream *s)
{
    static const char *const begin[] = {"[proxy:", "[mpiexec@"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (s->n_line >= strlen(begin[i]) && memcmp(s->line, begin[i], strlen(begin[i])) == 0)
            return true;
    return is_bar(s);
}

/* An empty line is held back: one comes before Hydra's last words. */
static void end_line(struct sched_stream *s)
{
    if (s->to >= 0 && s->n_line > 0 && is_launchers(s)) {
        s->to = s->line[0] == '=' ? -1 : s->to;
    } else if (s->to >= 0 && s->n_line > 0) {
        if (s->blank)
            pass_on(s, "\n", 1);
        s->blank = s->n_line == 1 && s->line[0] == '\n';
        if (!s->blank)
            pass_on(s, s->line, s->n_line);
    }
    s->n_line = 0;
}

static void pass_on_program(struct sched_stream *s, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        s->line[s->n_line++] = data[i];
        if (data[i] == '\n' || s->n_line == sizeof s->line)
            end_line(s);
    }
}

/* What read() said. */
static ssize_t read_stream(struct sched_stream *s)
{
    char room[16384 + SCHED_APART_HELD];
    ssize_t n;
    do
        n = read(s->fd, room, sizeof room - SCHED_APART_HELD);
    while (n < 0 && errno == EINTR);
    if (n > 0 && s->to >= 0 && s->hushed)
        pass_on_program(s, room, (size_t)n);
    else if (n > 0 && s->to >= 0)
        pass_on(s, room, (size_t)n);
    if (n > 0)
        keep_tail(s, room, s->apart ? sched_apart_take(s->apart, room, (size_t)n) : (size_t)n);
    return n;
}

static void on_stream(int fd, short what, void *context)
{
    struct sched_stream *s = context;
    if (read_stream(s) == 0)
        event_del(s->event);
}

struct sched_stream *sched_stream_create(struct event_base *base, int to, size_t most, int *end)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return NULL;
    struct sched_stream *s = sched_alloc(1, sizeof *s);
    s->fd = pair[0];
    s->to = to;
    s->left = most;
    *end = pair[1];
    fcntl(s->fd, F_SETFL, O_NONBLOCK);
    s->event = sched_must(event_new(base, s->fd, EV_READ | EV_PERSIST, on_stream, s));
    event_add(s->event, NULL);
    return s;
}

void sched_stream_destroy(struct sched_stream *s)
{
    if (!s)
        return;
    while (read_stream(s) > 0) /* what the dead have left in the pipe */
        ;
    if (s->apart)
        sched_apart_flush(s->apart);
    sched_apart_destroy(s->apart);
    end_line(s);
    if (s->to >= 0 && s->blank)
        pass_on(s, "\n", 1);
    event_free(s->event);
    close(s->fd);
    free(s);
}

void sched_stream_tell(struct sched_stream *s, struct sched_apart *apart) { s->apart = apart; }

void sched_stream_note(struct sched_stream *s, const char *bytes, size_t n) { keep_tail(s, bytes, n); }

void sched_stream_hush(struct sched_stream *s)
{
    while (s && read_stream(s) > 0) /* what has come so far */
        ;
    if (s)
        s->hushed = true;
}

const char *sched_stream_words(struct sched_stream *s)
{
    while (s && read_stream(s) > 0)
        ;
    return s ? s->tail : "";
}
