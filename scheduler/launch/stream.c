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

enum { LINE = 4096, TAIL = 4096, BAR = 83 /* of "=" */ };

struct sched_stream {
    struct event *event;
    int fd, to;  /* to: where it is passed on, or -1 */
    size_t left; /* so much of it, at most */
    bool hushed;
    bool blank; /* hushed: an empty line is held back ... */
    enum { PROGRAM, AFTER_BAR, BLOCK, AFTER_BLOCK } within;
    char bar[BAR + 1]; /* ... and behind it, AFTER_BAR, this; and the beginning of a line: */
    char line[LINE];
    size_t n_line;
    bool open;                 /* what came before of the line was passed on */
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

/* ---- Hydra's own words ---- */

/* When a rank has died Hydra says so in a block between two bars, of a length that programs hardly print;
 * what stands in the block makes it certain. */
static const char bad[] = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES";

/* A line begins with the words, or is the beginning of them so far. */
static bool fits(const struct sched_stream *s, const char *words)
{
    size_t n = strlen(words);
    return memcmp(s->line, words, n < s->n_line ? n : s->n_line) == 0;
}

static bool fits_any(const struct sched_stream *s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fits(s, words[i]))
            return true;
    return false;
}

static bool fits_bar(const struct sched_stream *s)
{
    size_t n = 0;
    while (n < s->n_line && s->line[n] == '=')
        n++;
    return n <= BAR && (n == s->n_line || (n == BAR && s->n_line == BAR + 1 && s->line[n] == '\n'));
}

static bool fits_message(const struct sched_stream *s)
{
    static const char *const words[] = {"[proxy:", "[mpiexec@"};
    return fits_any(s, words, sizeof words / sizeof *words);
}

static bool fits_end(const struct sched_stream *s)
{
    static const char *const words[] = {"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: ",
                                        "This typically refers to a problem with your application.",
                                        "Please see the FAQ page for debugging suggestions"};
    return fits_any(s, words, sizeof words / sizeof *words);
}

/* What may be Hydra's of the line, as far as it has come. */
static bool may_be_launchers(const struct sched_stream *s)
{
    switch (s->within) {
    case AFTER_BAR: return fits(s, bad);
    case BLOCK: return s->line[0] == '=';
    case AFTER_BLOCK: return fits_end(s) || fits_bar(s) || fits_message(s);
    default: return fits_bar(s) || fits_message(s);
    }
}

static void pass_on_held(struct sched_stream *s)
{
    if (s->blank)
        pass_on(s, "\n", 1);
    if (s->within == AFTER_BAR)
        pass_on(s, s->bar, BAR + 1);
    s->blank = false;
    s->within = PROGRAM;
}

/* No line of Hydra's: it is passed on as far as it has come, behind what was held back. */
static void pass_on_line(struct sched_stream *s)
{
    pass_on_held(s);
    pass_on(s, s->line, s->n_line);
    s->open = s->line[s->n_line - 1] != '\n';
    s->n_line = 0;
}

/* A whole line that is Hydra's, or may be, as the next one will show. */
static void take_launchers_line(struct sched_stream *s)
{
    bool bar = s->line[0] == '=' && s->n_line == BAR + 1 && fits_bar(s);
    if (s->within == AFTER_BAR) {
        s->within = BLOCK;
        s->blank = false;
    } else if (s->within == BLOCK && bar) {
        s->within = AFTER_BLOCK;
    } else if (bar) {
        memcpy(s->bar, s->line, s->n_line);
        s->within = AFTER_BAR;
    }
    s->n_line = 0;
}

/* An empty line is held back: one comes before the block. */
static void end_line(struct sched_stream *s)
{
    if (s->n_line == 1) {
        pass_on_held(s);
        s->blank = true;
        s->n_line = 0;
    } else if (may_be_launchers(s))
        take_launchers_line(s);
    else
        pass_on_line(s);
}

static void pass_on_program(struct sched_stream *s, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        s->line[s->n_line++] = data[i];
        bool ends = data[i] == '\n' || s->n_line == sizeof s->line;
        if (ends && s->open)
            pass_on_line(s);
        else if (ends)
            end_line(s);
    }
    if (s->n_line > 0 && (s->open || !may_be_launchers(s))) /* a prompt, or a line that takes its time */
        pass_on_line(s);
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
    if (s->to >= 0 && s->n_line > 0)
        pass_on_line(s);
    if (s->to >= 0)
        pass_on_held(s);
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
