/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "base/status_line.h"
#include "bounds.h"
#include "isp/functions.h"
#include "words/words.h"
#include "words/wrap.h"

static const double PAUSE_S = 0.2; /* between two lines */
static const double LONG_S = 1;    /* of a run that lasts so long it is told what it does ... */
static const double PLACES_S =
    3; /* ... of one that lasts so long, also where: reading that may take a while */
static const double LEAST_S = 3; /* of a search, for how long the rest will take */

void sched_progress_init(struct sched_progress *progress, bool quiet)
{
    const char *term = getenv("TERM");
    double now_s = sched_now_s();
    *progress = (struct sched_progress){.on = !quiet && isatty(2) && term && strcmp(term, "dumb") != 0,
                                        .started_s = now_s,
                                        .told_s = now_s,
                                        .every = 1};
    sched_found_init(&progress->found, quiet, now_s);
    sched_status_line_begin(progress->on);
}

/* ---- the estimate ---- */

/* The last ones of a sequence that gets longer: if there is no room, every second one is forgotten, and from
 * then on half as many are taken. */
static void remember(struct sched_progress *p)
{
    if (++p->skipped < p->every || p->estimate <= 0)
        return;
    p->skipped = 0;
    if (p->n_seen == SCHED_PROGRESS_SEEN) {
        for (unsigned i = 0; i < SCHED_PROGRESS_SEEN / 2; i++)
            p->seen[i] = p->seen[2 * i + 1];
        p->n_seen = SCHED_PROGRESS_SEEN / 2;
        p->every *= 2;
    }
    p->seen[p->n_seen].done = (double)p->done;
    p->seen[p->n_seen++].estimate = p->estimate;
}

static const char *bare(const char *about)
{
    return strncmp(about, "about ", strlen("about ")) == 0 ? about + strlen("about ") : about;
}

/* "about 3e4 (1e4 to 9e4)": the least and the most that it has been since half of them were done. NULL: it is
 * no more than what is done. */
static char *about(const struct sched_progress *p)
{
    char *most = sched_bounds_about(p->estimate, p->done);
    double low = p->estimate, high = low;
    for (unsigned i = 0; i < p->n_seen; i++) {
        if (p->seen[i].done < (double)p->done / 2)
            continue;
        low = p->seen[i].estimate < low ? p->seen[i].estimate : low;
        high = p->seen[i].estimate > high ? p->seen[i].estimate : high;
    }
    if (!most || high < 1.5 * low)
        return most;
    char *from = sched_bounds_about(low, 0), *to = sched_bounds_about(high, 0), *text = NULL;
    if (from && to && strcmp(from, to) != 0)
        text = sched_format("%s (%s to %s)", most, bare(from), bare(to));
    free(from);
    free(to);
    if (text)
        free(most);
    return text ? text : most;
}

static char *duration(double s)
{
    return s < 100     ? sched_format("%.0f s", s)
           : s < 6000  ? sched_format("%.0f min", s / 60)
           : s < 2e5   ? sched_format("%.0f h", s / 3600)
           : s < 3.2e7 ? sched_format("%.0f days", s / 86400)
                       : sched_strdup("years");
}

/* ---- the line ---- */

/* What is said of it, by what goes first if the terminal is too narrow: the last. */
struct piece {
    char *text; /* NULL: nothing */
    int rank;   /* 0: it stays */
};

enum { PIECES = 8 };

struct line {
    struct piece pieces[PIECES];
    size_t n;
};

static void add(struct line *l, int rank, char *text)
{
    if (text)
        l->pieces[l->n++] = (struct piece){text, rank};
}

static int columns_of(const struct line *l)
{
    int n = (int)strlen("isp: ");
    for (size_t i = 0; i < l->n; i++)
        n += l->pieces[i].text ? (int)strlen(l->pieces[i].text) + 2 : 0;
    return n - 2;
}

static void drop_last_rank(struct line *l)
{
    size_t last = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->pieces[i].text && (!l->pieces[last].text || l->pieces[i].rank >= l->pieces[last].rank))
            last = i;
    free(l->pieces[last].text);
    l->pieces[last] = (struct piece){NULL, -1};
}

static bool has_droppable(const struct line *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->pieces[i].text && l->pieces[i].rank > 0)
            return true;
    return false;
}

static void show(struct line *l)
{
    int columns = sched_terminal_columns(stderr), room = columns ? columns - 1 : columns_of(l);
    while (columns_of(l) > room && has_droppable(l))
        drop_last_rank(l);
    char *text = sched_strdup("isp: ");
    bool first = true;
    for (size_t i = 0; i < l->n; i++) {
        if (!l->pieces[i].text)
            continue;
        sched_words_add(&text, "%s%s", first ? "" : ", ", l->pieces[i].text);
        first = false;
        free(l->pieces[i].text);
    }
    if ((int)strlen(text) > room)
        text[room] = '\0'; /* a second line could not be taken back */
    sched_status_line_show(text);
    free(text);
}

/* ---- the present run ---- */

/* "ranks 0, 2 compute", with the last call of a single one, and in *place its place. */
static char *who_computes(const struct sched_world *w, double seconds, char **place)
{
    int *ranks = sched_alloc((size_t)w->n, sizeof *ranks);
    size_t n = 0;
    for (int i = 0; i < w->n; i++) {
        struct sched_rank_view view = sched_world_rank(w, i);
        if (view.initialized && !view.still && !view.gone && !view.exited)
            ranks[n++] = i;
    }
    char *text = NULL;
    if (n == 1) {
        struct sched_rank_view view = sched_world_rank(w, ranks[0]);
        char *spot = seconds >= PLACES_S && view.site ? sched_words_spot(w->run, view.site) : NULL;
        *place = spot ? sched_format("called at %s", spot) : NULL;
        text = sched_format("rank %d computes%s%s", ranks[0], view.fn ? " after " : "",
                            view.fn ? isp_fn_name((enum isp_fn)view.fn) : "");
        free(spot);
    } else if (n == (size_t)w->n) {
        text = sched_strdup("all ranks compute");
    } else if (n) {
        char *who = sched_words_ranks(ranks, n);
        text = sched_format("%s compute", who);
        free(who);
    }
    free(ranks);
    return text ? text : sched_strdup("all ranks wait");
}

static void add_run(const struct sched_progress *p, struct line *l, double seconds)
{
    const struct sched_world *w = p->x ? p->x->engine.world : NULL;
    char *time = duration(seconds);
    add(l, 0,
        p->done ? sched_format("the next one lasts %s", time)
                : sched_format("the first interleaving, %s", time));
    free(time);
    if (!w)
        return;
    if (w->n_connected < w->n) {
        add(l, 1, sched_format("%d of %d ranks have begun", w->n_connected, w->n));
        return;
    }
    add(l, 1, sched_format("%" PRIu64 " MPI calls", w->calls));
    char *place = NULL;
    add(l, 2, who_computes(w, seconds, &place));
    add(l, 5, place);
}

/* ---- what is said ---- */

static char *found_words(const struct sched_found *f)
{
    char *errors = f->errors ? sched_format("%zu error%s", f->errors, f->errors == 1 ? "" : "s") : NULL,
         *text = NULL;
    if (f->warnings)
        text = sched_format("%s%s%zu warning%s", errors ? errors : "", errors ? ", " : "", f->warnings,
                            f->warnings == 1 ? "" : "s");
    if (!text)
        return errors;
    free(errors);
    return text;
}

static void add_done(const struct sched_progress *p, struct line *l, double now_s)
{
    char *all = about(p);
    double seconds = now_s - p->begun_s, rate = seconds > 0 ? (double)(p->done - p->begun) / seconds : 0;
    bool one = p->done == 1 && !all;
    add(l, 0,
        sched_format("%" PRIu64 "%s%s interleaving%s", p->done, all ? " of " : "", all ? all : "",
                     one ? "" : "s"));
    add(l, 1, found_words(&p->found));
    add(l, 2, p->same ? sched_format("all with the same %.*s", (int)strcspn(p->same, " "), p->same) : NULL);
    bool long_run = now_s - p->told_s >= LONG_S && p->x;
    if (long_run)
        add_run(p, l, now_s - p->told_s);
    else if (rate > 0)
        add(l, 5, sched_format("%.1f/s", rate));
    if (!long_run && all && seconds >= LEAST_S && rate > 0) {
        char *rest = duration((p->estimate - (double)p->done) / rate);
        add(l, 4, sched_format("%s left", rest));
        free(rest);
    }
    free(all);
}

static void draw(struct sched_progress *p)
{
    double now_s = sched_now_s();
    sched_found_tell(&p->found);
    if (!p->on || now_s < p->next_s || (!p->done && (p->elsewhere || now_s - p->started_s < LONG_S)))
        return;
    struct line line = {0};
    if (p->done)
        add_done(p, &line, now_s);
    else
        add_run(p, &line, now_s - p->started_s);
    add(&line, 3, sched_strdup(sched_interrupt_came() ? "interrupted: it ends" : "Ctrl-C reports"));
    show(&line);
    p->next_s = now_s + PAUSE_S;
}

static void on_clock(int fd, short what, void *context) { draw(context); }

void sched_progress_begin(struct sched_progress *progress, struct sched_explore *x, bool own)
{
    static const struct timeval pause = {.tv_usec = 250000};
    progress->x = own ? x : NULL;
    progress->elsewhere = !own;
    if (!progress->on && !progress->found.on)
        return;
    progress->clock = sched_must(event_new(x->base, -1, EV_PERSIST, on_clock, progress));
    event_add(progress->clock, &pause);
}

void sched_progress_tell(struct sched_progress *progress, uint64_t done, double estimate, const char *same)
{
    if (done && !progress->done) {
        progress->begun = done;
        progress->begun_s = sched_now_s();
    }
    if (done != progress->done) {
        progress->told_s = sched_now_s();
        progress->done = done;
        progress->estimate = estimate;
        remember(progress);
    }
    progress->same = same;
    draw(progress);
}

void sched_progress_finish(struct sched_progress *progress)
{
    if (progress->clock)
        event_free(progress->clock);
    progress->clock = NULL;
    sched_found_finish(&progress->found);
    sched_status_line_hide();
    sched_status_line_begin(false);
}
