/* SPDX-License-Identifier: BSD-3-Clause */
/* How a session goes to another cut: see session.h. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/now.h"
#include "base/say.h"
#include "inferior.h"
#include "world/hold.h"

enum { PULSE_US = 20000 };

static bool is_beyond(const struct sched_session *s, int rank, uint64_t limit)
{
    if (limit == ISP_HOLD_IN_INIT)
        return s->limits[rank] != ISP_HOLD_IN_INIT;
    return sched_hold_view(s->now->s.world, rank).at > limit;
}

/* A rank has died before its time: somebody has killed it, or what had started it. */
static bool was_killed(const struct sched_session *s)
{
    for (int r = 0; r < s->n; r++) {
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        if (view.stopped && view.at < s->record->of[r].n)
            return true;
    }
    return false;
}

/* No rank has done more than it may there. */
static bool is_ahead(const struct sched_session *s, const uint64_t *limits)
{
    if (!s->now || s->now->s.world->ending != SCHED_END_NONE)
        return false;
    for (int r = 0; r < s->n; r++)
        if (is_beyond(s, r, limits[r]))
            return false;
    return !was_killed(s);
}

/* A rank that has gone on beyond the call at its limit. */
static bool has_run_past(const struct sched_session *s, int rank)
{
    uint64_t at = sched_hold_view(s->now->s.world, rank).at;
    uint64_t from = s->limits[rank] == ISP_HOLD_IN_INIT ? 0 : s->limits[rank];
    for (uint64_t k = from; k < at; k++) {
        const struct sched_record_event *e =
            sched_record_find(s->record, (struct sched_record_name){rank, (uint32_t)k});
        if (!e || !(e->call.flags & ISP_F_CONTINUES))
            return true;
    }
    return false;
}

static bool have_held(struct sched_session *s)
{
    for (int r = 0; r < s->n; r++)
        if (has_run_past(s, r))
            return sched_session_fail(s,
                                      "rank %d does not hold at its calls, since several threads may make "
                                      "them (MPI_THREAD_SERIALIZED or more): one cannot travel in its run",
                                      r);
    return true;
}

/* ---- on the way ---- */

/* Goes on until it has come to rest, or somebody has broken it off; or until it is time for a checkpoint. */
static enum sched_arrival run(struct sched_session *s, bool marks)
{
    double begun_s = sched_now_s();
    enum sched_arrival arrival;
    bool is_due = false;
    do { /* what a gdb tells that has just let go is of no interest */
        s->wanted = s->broken_off;
        arrival = sched_stand_go(s->now);
        is_due = marks && arrival == SCHED_ATTENTION &&
                 sched_marks_is_due(&s->now->marks, sched_now_s() - begun_s, false);
    } while (arrival == SCHED_ATTENTION && !s->broken_off && !is_due);
    sched_marks_run(&s->now->marks, sched_now_s() - begun_s);
    return arrival;
}

/* All hold at their next events for a checkpoint. Each comes there: it is recorded. */
static enum sched_arrival rest_for_mark(struct sched_session *s)
{
    for (int r = 0; r < s->n; r++)
        if (s->limits[r] != ISP_HOLD_IN_INIT)
            sched_hold_at(s->now->s.world, r, 0);
    enum sched_arrival arrival = run(s, false);
    if (arrival == SCHED_ARRIVED)
        sched_marks_make(&s->now->marks, &s->now->s);
    sched_stand_limit(s->now, s->limits);
    return arrival;
}

static enum sched_arrival travel(struct sched_session *s)
{
    bool may_rest = strcmp(s->ending, "hang") != 0; /* else a rank has no next event */
    enum sched_arrival arrival = run(s, may_rest);
    while (arrival == SCHED_ATTENTION && !s->broken_off) {
        arrival = rest_for_mark(s);
        if (arrival == SCHED_ARRIVED)
            arrival = run(s, true);
    }
    if (arrival == SCHED_ARRIVED && sched_marks_is_due(&s->now->marks, 0, true))
        sched_marks_make(&s->now->marks, &s->now->s);
    return arrival;
}

static bool arrive(struct sched_session *s)
{
    s->broken_off = s->closing;
    event_add(s->pulse, &(struct timeval){.tv_usec = PULSE_US});
    enum sched_arrival arrival = travel(s);
    event_del(s->pulse);
    bool hangs = s->now->s.world->ending == SCHED_END_HANG && strcmp(s->ending, "hang") != 0;
    if (arrival == SCHED_ARRIVED && hangs)
        return sched_session_fail(s, "a rank computes for so long that it seems to hang: --timeout");
    if (arrival == SCHED_ARRIVED)
        return have_held(s);
    if (arrival == SCHED_ATTENTION)
        return sched_session_fail(s, "interrupted on the way");
    return sched_session_fail(s, "%s", s->now->why);
}

/* ---- back, and forward ---- */

static void aim(struct sched_session *s, const uint64_t *limits, int focus)
{
    memmove(s->limits, limits, (size_t)s->n * sizeof *limits);
    s->focus = focus;
    sched_stand_limit(s->now, s->limits);
}

static bool go_from_mark(struct sched_session *s, const uint64_t *limits, int focus)
{
    if (!s->now || s->stands.plain)
        return false;
    sched_inferiors_leave(s);
    if (!sched_marks_go_back(&s->now->marks, &s->now->s, limits))
        return false;
    aim(s, limits, focus);
    return arrive(s) && !was_killed(s); /* what was killed may have been a process of the checkpoint */
}

static bool go_from_launch(struct sched_session *s, const uint64_t *limits, int focus)
{
    const char *why = s->now ? sched_marks_refused(s->now->s.world) : NULL;
    if (why && s->options->verbose)
        sched_say("the program is launched anew: %s", why);
    sched_session_leave(s);
    s->now = sched_stand_create(&s->stands);
    for (int r = 0; r < s->n; r++)
        s->limits[r] = ISP_HOLD_IN_INIT;
    if (!arrive(s)) /* the first checkpoint */
        return false;
    aim(s, limits, focus);
    return arrive(s);
}

bool sched_session_go_anew(struct sched_session *s, const uint64_t *limits, int focus)
{
    uint64_t *wanted = sched_copy(limits, (size_t)s->n * sizeof *limits); /* `limits` may be ours */
    bool ok = go_from_mark(s, wanted, focus);
    if (!ok && !s->broken_off)
        ok = go_from_launch(s, wanted, focus);
    free(wanted);
    return ok;
}

static bool go_forward(struct sched_session *s, const uint64_t *limits, int focus)
{
    sched_inferiors_detach(s); /* at full speed, and past breakpoints */
    aim(s, limits, focus);
    return arrive(s) && !was_killed(s);
}

bool sched_session_go(struct sched_session *s, const uint64_t *limits, int focus)
{
    bool there = is_ahead(s, limits) && go_forward(s, limits, focus);
    if (!there && s->broken_off)
        return false;
    return there || sched_session_go_anew(s, limits, focus);
}

bool sched_session_go_to(struct sched_session *s, struct sched_record_name event)
{
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    bool ok = sched_cut_at(s->cuts, event, limits) ||
              sched_session_fail(s, "rank %d never comes to its call %u: it has made %u", event.rank,
                                 event.number, s->record->of[event.rank].n);
    ok = ok && sched_session_go(s, limits, event.rank);
    free(limits);
    return ok;
}

bool sched_session_go_to_start(struct sched_session *s, int focus)
{
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    for (int r = 0; r < s->n; r++)
        limits[r] = ISP_HOLD_IN_INIT;
    bool ok = sched_session_go(s, limits, focus);
    free(limits);
    return ok;
}

bool sched_session_let(struct sched_session *s, int rank, uint64_t limit)
{
    s->limits[rank] = limit;
    sched_stand_limit(s->now, s->limits);
    s->broken_off = s->closing;
    enum sched_arrival arrival = run(s, false);
    if (arrival == SCHED_ATTENTION)
        return sched_session_fail(s, "interrupted on the way");
    return arrival == SCHED_ARRIVED || sched_session_fail(s, "%s", s->now->why);
}
