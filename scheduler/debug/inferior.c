/* SPDX-License-Identifier: BSD-3-Clause */
/* See inferior.h. */
#include "inferior.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "world/hold.h"

static const double STOP_S = 10;

/* ---- what gdb tells ---- */

static void forget_stop(struct sched_inferior *i)
{
    free(i->stop.signal);
    free(i->stop.meaning);
    free(i->stop.expression);
    free(i->stop.before);
    free(i->stop.now);
    free(i->stop.returned);
    i->stop = (struct sched_inferior_stop){0};
}

static char *copy(const char *text) { return text ? sched_strdup(text) : NULL; }

static void on_stop(void *context, const struct sched_gdb_stop *stop)
{
    struct sched_inferior *i = context;
    if (!i->attached)
        return;
    forget_stop(i);
    i->stop = (struct sched_inferior_stop){.reason = stop->reason,
                                           .breakpoint = stop->breakpoint,
                                           .code = stop->code,
                                           .signal = copy(stop->signal),
                                           .meaning = copy(stop->meaning),
                                           .expression = copy(stop->expression),
                                           .before = copy(stop->before),
                                           .now = copy(stop->now),
                                           .returned = copy(stop->returned)};
    i->over = stop->reason == SCHED_GDB_EXITED || stop->reason == SCHED_GDB_KILLED ||
              stop->reason == SCHED_GDB_GONE;
    i->news = true;
    i->session->wanted = true;
}

void sched_inferiors_create(struct sched_session *s)
{
    s->inferiors = sched_alloc((size_t)s->n, sizeof *s->inferiors);
    for (int r = 0; r < s->n; r++)
        s->inferiors[r] = (struct sched_inferior){.session = s, .rank = r};
}

void sched_inferiors_destroy(struct sched_session *s)
{
    for (int r = 0; r < s->n && s->inferiors; r++) {
        sched_gdb_destroy(s->inferiors[r].gdb);
        forget_stop(&s->inferiors[r]);
    }
    free(s->inferiors);
}

/* ---- gdb and its process ---- */

static bool start(struct sched_session *s, struct sched_inferior *i)
{
    struct sched_gdb_host host = {
        .base = s->base, .interrupted = &s->broken_off, .on_stop = on_stop, .context = i};
    char *why = NULL;
    if (i->gdb && sched_gdb_pid(i->gdb))
        return true;
    sched_gdb_destroy(i->gdb);
    i->gdb = sched_gdb_create(&host, s->options->program, &why);
    if (!i->gdb)
        sched_session_fail(s, "%s", why);
    free(why);
    return i->gdb;
}

static bool attach(struct sched_session *s, struct sched_inferior *i)
{
    pid_t process = sched_hold_process(s->now->s.world, i->rank);
    if (!process)
        return sched_session_fail(s, "rank %d has no process any more", i->rank);
    if (!start(s, i))
        return false;
    if (sched_gdb_process(i->gdb) == process)
        return true;
    if (!sched_gdb_detach(i->gdb) || !sched_gdb_attach(i->gdb, process))
        return sched_session_fail(s, "rank %d: %s", i->rank, sched_gdb_error(i->gdb));
    i->over = i->at_line = i->moving = i->news = false;
    i->attached = true;
    if (s->user->attached)
        s->user->attached(s->user->context, i->rank);
    return true;
}

struct sched_gdb *sched_inferior_look(struct sched_session *s, int rank)
{
    struct sched_inferior *i = &s->inferiors[rank];
    if (!attach(s, i))
        return NULL;
    if (!sched_gdb_is_stopped(i->gdb)) {
        bool was_moving = i->moving;
        if (!sched_gdb_interrupt(i->gdb) || !sched_gdb_await_stop(i->gdb, STOP_S)) {
            sched_session_fail(s, "rank %d does not stop: %s", rank, sched_gdb_error(i->gdb));
            return NULL;
        }
        if (i->stop.reason == SCHED_GDB_INTERRUPTED)
            i->news = false; /* nobody has to be told */
        i->moving = was_moving && i->stop.reason == SCHED_GDB_INTERRUPTED;
    }
    return i->gdb;
}

struct sched_gdb *sched_inferior_look_at(struct sched_session *s, int rank, int index, int *level)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    bool there = (size_t)index < n;
    if (there)
        *level = frames[index].level;
    else if (g)
        sched_session_fail(s, "rank %d has no frame %d of the program's", rank, index);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return there ? g : NULL;
}

bool sched_inferior_move(struct sched_session *s, int rank, enum sched_gdb_move move, const char *place)
{
    struct sched_inferior *i = &s->inferiors[rank];
    if (!sched_inferior_look(s, rank))
        return false;
    if (!sched_gdb_move(i->gdb, move, place))
        return sched_session_fail(s, "rank %d: %s", rank, sched_gdb_error(i->gdb));
    i->moving = true;
    i->at_line = i->news = false;
    sched_hold_park(s->now->s.world, rank, false);
    if (s->limits[rank] == ISP_HOLD_IN_INIT)
        sched_hold_at(s->now->s.world, rank, s->limits[rank] = 0);
    return true;
}

void sched_inferior_found(struct sched_session *s, int rank)
{
    struct sched_inferior *i = &s->inferiors[rank];
    forget_stop(i);
    i->stop.reason = SCHED_GDB_STEPPED;
    i->at_line = true;
    i->moving = i->news = false;
}

bool sched_inferior_hear(struct sched_session *s, const bool *which)
{
    bool any = false;
    for (int r = 0; r < s->n; r++) {
        struct sched_inferior *i = &s->inferiors[r];
        if (!i->news)
            continue;
        i->news = i->moving = false;
        i->at_line = !i->over;
        sched_hold_park(s->now->s.world, r, i->at_line);
        any |= !which || which[r];
    }
    return any;
}

void sched_inferiors_run_on(struct sched_session *s)
{
    for (int r = 0; r < s->n; r++) {
        struct sched_inferior *i = &s->inferiors[r];
        if (i->gdb && sched_gdb_process(i->gdb) && sched_gdb_is_stopped(i->gdb) && !i->at_line && !i->news)
            sched_gdb_move(i->gdb, SCHED_GDB_CONTINUE, NULL);
    }
}

void sched_inferiors_detach(struct sched_session *s)
{
    for (int r = 0; r < s->n; r++) {
        struct sched_inferior *i = &s->inferiors[r];
        i->attached = false;
        if (i->gdb)
            sched_gdb_detach(i->gdb);
        i->at_line = i->moving = i->news = false;
        if (s->now && s->now->s.world)
            sched_hold_park(s->now->s.world, r, false);
    }
}

void sched_inferiors_leave(struct sched_session *s)
{
    for (int r = 0; r < s->n; r++)
        if (s->inferiors[r].gdb)
            sched_gdb_owe_nothing(s->inferiors[r].gdb);
    sched_inferiors_detach(s);
    for (int r = 0; r < s->n; r++)
        s->inferiors[r].over = false;
}

void sched_inferiors_interrupt(struct sched_session *s)
{
    s->broken_off = false; /* else nobody would wait for gdb */
    for (int r = 0; r < s->n; r++) {
        struct sched_inferior *i = &s->inferiors[r];
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        if (i->moving && !view.held && !view.in_call && sched_gdb_interrupt(i->gdb))
            sched_gdb_await_stop(i->gdb, STOP_S);
    }
    sched_inferior_hear(s, NULL);
}
