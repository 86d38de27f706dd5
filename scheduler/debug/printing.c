/* SPDX-License-Identifier: BSD-3-Clause */
/* See printing.h. */
#include "printing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"

/* What waits for its end of line, of one rank and stream. */
struct stream {
    uint64_t told; /* so much of it, or it waits here */
    char *text;
    size_t n, room;
};

struct sched_printing {
    struct sched_printed hook;
    struct sched_printing_user user;
    int ranks;
    bool muted;
    struct stream *streams; /* of rank -1, 0 ...; two each */
};

enum { LINE_MOST = 16384 };

char *sched_printing_line(int rank, const char *text)
{
    const char *end = strchr(text, '\n') ? "" : "\n";
    return rank < 0 ? sched_strdup(text) : sched_format("[%d] %s%s", rank, text, end);
}

static void tell(struct sched_printing *p, int index, size_t n)
{
    struct stream *s = &p->streams[index];
    char *raw = sched_format("%.*s", (int)n, s->text), *text = sched_escape(raw, "\n\t");
    memmove(s->text, s->text + n, s->n - n);
    s->n -= n;
    p->user.tell(p->user.context, index / 2 - 1, index % 2, text);
    free(raw);
    free(text);
}

static void tell_lines(struct sched_printing *p, int index, bool all)
{
    struct stream *s = &p->streams[index];
    const char *end;
    while (s->n > 0 && (end = memchr(s->text, '\n', s->n)))
        tell(p, index, (size_t)(end - s->text) + 1);
    if (s->n > LINE_MOST || (all && s->n > 0))
        tell(p, index, s->n);
}

static void print(void *context, int rank, bool error, uint64_t at, const char *bytes, size_t n)
{
    struct sched_printing *p = context;
    int index = 2 * (rank + 1) + error;
    struct stream *s = &p->streams[index];
    uint64_t end = at + n;
    if (rank >= 0 && at < s->told) { /* again */
        size_t again = s->told - at < n ? (size_t)(s->told - at) : n;
        bytes += again;
        n -= again;
    }
    if (!n || p->muted)
        return;
    if (s->n + n > s->room)
        s->text = sched_grow(s->text, s->room = 2 * (s->n + n), 1);
    memcpy(s->text + s->n, bytes, n);
    for (char *zero = s->text + s->n; (zero = memchr(zero, '\0', (size_t)(s->text + s->n + n - zero)));)
        *zero = '?'; /* a text ends there */
    s->n += n;
    s->told = end;
    tell_lines(p, index, false);
}

struct sched_printing *sched_printing_create(struct sched_printing_user user, int ranks)
{
    struct sched_printing *p = sched_alloc(1, sizeof *p);
    *p = (struct sched_printing){.hook = {print, p}, .user = user, .ranks = ranks};
    p->streams = sched_alloc(2 * (size_t)(ranks + 1), sizeof *p->streams);
    return p;
}

void sched_printing_destroy(struct sched_printing *p)
{
    if (!p)
        return;
    for (int i = 0; i < 2 * (p->ranks + 1); i++)
        free(p->streams[i].text);
    free(p->streams);
    free(p);
}

const struct sched_printed *sched_printing_hook(struct sched_printing *p) { return &p->hook; }

void sched_printing_flush(struct sched_printing *p)
{
    for (int i = 0; i < 2 * (p->ranks + 1); i++)
        tell_lines(p, i, true);
}

void sched_printing_mute(struct sched_printing *p, bool muted) { p->muted = muted; }

void sched_printing_anew(struct sched_printing *p)
{
    sched_printing_flush(p);
    for (int i = 0; i < 2 * (p->ranks + 1); i++)
        p->streams[i].told = 0;
}
