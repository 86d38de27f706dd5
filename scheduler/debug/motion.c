/* SPDX-License-Identifier: BSD-3-Clause */
/* See motion.h. */
#include "motion.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "isp/functions.h"
#include "world/hold.h"

enum sched_standing sched_motion_standing(const struct sched_session *s, int rank)
{
    const struct sched_world *w = s->now->s.world;
    const struct sched_inferior *i = &s->inferiors[rank];
    struct sched_held_view view = sched_hold_view(w, rank);
    struct sched_rank_view told = sched_world_rank(w, rank);
    /* nobody waits for one that has said that it leaves, and that may take a while yet */
    bool leaves = told.finalized && told.exited && !i->at_line;
    if (i->over || leaves || (view.stopped && !sched_hold_process(w, rank)))
        return SCHED_IS_OVER;
    return view.in_call && !i->at_line ? SCHED_WAITS : SCHED_STANDS;
}

/* A rank that the user has finished moving, or that has nothing left to move. */
static bool is_under_way(const struct sched_session *s, int rank)
{
    return s->inferiors[rank].moving && !s->inferiors[rank].over;
}

static bool begin(struct sched_session *s, const struct sched_motion *m)
{
    for (int r = 0; r < s->n; r++)
        if (m->set[r] && sched_motion_standing(s, r) != SCHED_IS_OVER && !is_under_way(s, r) &&
            !sched_inferior_move(s, r, m->move, m->place))
            return false;
    sched_inferiors_run_on(s);
    return true;
}

struct sched_motion_cap *sched_motion_caps(const struct sched_session *s)
{
    struct sched_motion_cap *caps = sched_alloc((size_t)s->n, sizeof *caps);
    for (int r = 0; r < s->n; r++)
        caps[r].most = UINT64_MAX;
    return caps;
}

/* Whether a rank may not come to a limit. */
static bool is_capped(const struct sched_motion *m, int rank, uint64_t limit)
{
    bool is = m->caps && limit > m->caps[rank].most && limit != ISP_HOLD_IN_INIT;
    if (is)
        m->caps[rank].reached = true;
    return is;
}

static void raise_limit(struct sched_session *s, int rank, uint64_t limit, bool *raised)
{
    if (!isp_hold_is_before(s->limits[rank], limit))
        return;
    s->limits[rank] = limit;
    *raised = true;
}

/* A rank of the set holds at a call: it may make it. MPI_Finalize is the last one. */
static void grant(struct sched_session *s, int rank, const struct sched_held_view *view, bool *raised)
{
    bool last = sched_world_rank(s->now->s.world, rank).fn == ISP_FN_MPI_Finalize;
    raise_limit(s, rank, last ? ISP_HOLD_NEVER : view->at + 1, raised);
}

/* Somebody has left it at a line, and it is needed further on: it goes up to its limit. */
static void let_go(struct sched_session *s, int rank, uint64_t needed, bool *raised)
{
    struct sched_inferior *i = &s->inferiors[rank];
    if (!i->at_line || i->over || sched_hold_view(s->now->s.world, rank).at >= needed ||
        !sched_gdb_move(i->gdb, SCHED_GDB_CONTINUE, NULL))
        return;
    i->at_line = i->moving = i->news = false;
    sched_hold_park(s->now->s.world, rank, false);
    *raised = true;
}

/* A rank of the set waits in a call: those that it needs go as far as it needs them. */
static void fetch(struct sched_session *s, const struct sched_motion *m, int rank,
                  const struct sched_held_view *view, bool *raised)
{
    uint64_t *needed = sched_alloc((size_t)s->n, sizeof *needed);
    struct sched_record_name event = {rank, (uint32_t)view->at - 1};
    if (view->at > 0 && sched_cut_after(s->cuts, event, needed))
        for (int r = 0; r < s->n; r++)
            if (!m->set[r]) {
                uint64_t limit = s->others_run ? ISP_HOLD_AT_END : needed[r];
                raise_limit(s, r, is_capped(m, r, limit) ? m->caps[r].most : limit, raised);
                let_go(s, r, needed[r], raised);
            }
    free(needed);
}

/* Nothing moves: lets go who may. False: nobody may. */
static bool go_further(struct sched_session *s, const struct sched_motion *m)
{
    bool raised = false;
    for (int r = 0; r < s->n; r++) {
        struct sched_held_view view = sched_hold_view(s->now->s.world, r);
        if (!m->set[r] || !is_under_way(s, r))
            continue;
        if (view.held && !is_capped(m, r, view.at + 1))
            grant(s, r, &view, &raised);
        else if (view.in_call)
            fetch(s, m, r, &view, &raised);
    }
    if (raised)
        sched_stand_limit(s->now, s->limits);
    return raised;
}

/* One of the set has stopped for something else than the end of its move. */
static bool is_stopped_before(const struct sched_session *s, const bool *set)
{
    for (int r = 0; r < s->n; r++) {
        const struct sched_inferior *i = &s->inferiors[r];
        enum sched_gdb_reason why = i->stop.reason;
        if (set[r] && i->at_line && why != SCHED_GDB_STEPPED && why != SCHED_GDB_FINISHED &&
            why != SCHED_GDB_INTERRUPTED)
            return true;
    }
    return false;
}

static enum sched_motion_end run(struct sched_session *s, const struct sched_motion *m)
{
    bool stopped = false;
    for (;;) {
        s->wanted = s->broken_off;
        stopped |=
            sched_inferior_hear(s, NULL) && is_stopped_before(s, m->set); /* what came meanwhile, too */
        if (s->broken_off) {
            sched_inferiors_interrupt(s);
            return SCHED_MOTION_BROKEN_OFF;
        }
        if (stopped && m->move == SCHED_GDB_CONTINUE) { /* the others of the set stop where they are */
            sched_inferiors_interrupt(s);
            return SCHED_MOTION_STOPPED;
        }
        enum sched_arrival arrival = sched_stand_go(s->now);
        if (arrival == SCHED_STRAYED || arrival == SCHED_LOST) {
            sched_session_fail(s, "%s", s->now->why);
            return SCHED_MOTION_FAILED;
        }
        if (arrival == SCHED_ARRIVED && !go_further(s, m))
            return stopped ? SCHED_MOTION_STOPPED : SCHED_MOTION_DONE;
    }
}

enum sched_motion_end sched_motion_make(struct sched_session *s, const struct sched_motion *m)
{
    s->broken_off = s->closing;
    if (!begin(s, m))
        return SCHED_MOTION_FAILED;
    s->now->s.world->patient = true;
    enum sched_motion_end end = run(s, m);
    s->now->s.world->patient = false;
    return end;
}
