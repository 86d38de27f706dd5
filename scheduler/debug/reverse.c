/* SPDX-License-Identifier: BSD-3-Clause */
/* See reverse.h. */
#include "reverse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "spot.h"

/* ---- visits of a line ---- */

/* A breakpoint at the spot's place, for this condition. 0: session->why. */
static int break_at(struct sched_session *s, const struct sched_spot *spot, const char *condition)
{
    struct sched_gdb_breakpoint b;
    struct sched_gdb *g = sched_inferior_look(s, spot->rank);
    char *place = sched_format("*%#" PRIx64, spot->pc);
    bool ok = g && sched_gdb_break(g, place, condition, false, &b);
    int number = ok ? b.number : 0;
    if (ok)
        sched_gdb_breakpoint_finish(&b);
    else if (g)
        sched_session_fail(s, "rank %d: %s", spot->rank, sched_gdb_error(g));
    free(place);
    return number;
}

static void delete_breakpoint(struct sched_session *s, const struct sched_spot *spot, int number)
{
    if (s->inferiors[spot->rank].gdb)
        sched_gdb_break_delete(s->inferiors[spot->rank].gdb, number);
}

static bool count_from_0(struct sched_session *s, const struct sched_spot *spot)
{
    struct sched_gdb *g = sched_inferior_look(s, spot->rank);
    char *said = g ? sched_gdb_console(g, "set $isp_visits = 0") : NULL;
    free(said);
    return said;
}

/* How often the place is visited in the segment up to the spot, which is the last visit. 0: session->why. */
static uint64_t count_visits(struct sched_session *s, const struct sched_spot *spot)
{
    if (!sched_spot_begin_segment(s, spot) || !count_from_0(s, spot))
        return 0;
    char *condition = sched_format("($isp_visits = $isp_visits + 1) && %s", spot->state);
    int number = break_at(s, spot, condition);
    enum sched_spot_end end = number ? sched_spot_move(s, spot, SCHED_GDB_CONTINUE) : SCHED_SPOT_LOST;
    char *count = NULL;
    if (end == SCHED_SPOT_REACHED)
        count = sched_gdb_evaluate(s->inferiors[spot->rank].gdb, 0, "$isp_visits");
    if (number)
        delete_breakpoint(s, spot, number);
    uint64_t visits = count ? strtoull(count, NULL, 10) : 0;
    free(count);
    if (!visits && end != SCHED_SPOT_LOST)
        sched_session_fail(s, "rank %d did not come to the same place again", spot->rank);
    return visits;
}

/* Stands at visit `number` of the place, from 1; 0: where the segment begins. */
static bool go_to_visit(struct sched_session *s, const struct sched_spot *spot, uint64_t number)
{
    if (!sched_spot_begin_segment(s, spot))
        return false;
    if (number == 0)
        return true;
    if (!count_from_0(s, spot))
        return false;
    char *condition = sched_format("($isp_visits = $isp_visits + 1) == %" PRIu64, number);
    int breakpoint = break_at(s, spot, condition);
    free(condition);
    bool ok = breakpoint && sched_spot_move(s, spot, SCHED_GDB_CONTINUE) == SCHED_SPOT_STOPPED;
    if (breakpoint)
        delete_breakpoint(s, spot, breakpoint);
    return ok;
}

/* From where a run to the spot is short: the visit of its place before the last, or the segment's beginning. */
static bool go_before(struct sched_session *s, const struct sched_spot *spot, uint64_t visits)
{
    return go_to_visit(s, spot, visits > 1 ? visits - 1 : 0);
}

/* ---- lines ---- */

/* The frame that the rank is in now, as reverse-next and -finish tell frames apart. */
static bool frame_of(struct sched_session *s, int rank, uint64_t *cfa)
{
    int level;
    struct sched_gdb *g = sched_inferior_look_at(s, rank, 0, &level);
    return g && sched_gdb_frame_address(g, level, cfa);
}

/* Whether one may stop in a frame when going back from the spot's. Stacks grow downwards. */
static bool is_wanted(enum sched_reverse how, uint64_t cfa, const struct sched_spot *spot)
{
    switch (how) {
    case SCHED_REVERSE_STEP: return true;
    case SCHED_REVERSE_NEXT: return cfa >= spot->cfa;
    default: return cfa > spot->cfa;
    }
}

/* Steps on to the spot; the last step before it at which one may stop, from 1; 0: none, -1: session->why. */
static long last_step_before(struct sched_session *s, const struct sched_spot *spot, enum sched_reverse how)
{
    long last = 0;
    for (long step = 1;; step++) {
        uint64_t cfa;
        switch (sched_spot_move(s, spot, SCHED_GDB_STEP)) {
        case SCHED_SPOT_LOST: return -1;
        case SCHED_SPOT_REACHED: return last;
        case SCHED_SPOT_STOPPED:
            if (frame_of(s, spot->rank, &cfa) && is_wanted(how, cfa, spot))
                last = step;
        }
    }
}

static bool make_steps(struct sched_session *s, const struct sched_spot *spot, long steps)
{
    while (steps-- > 0)
        if (sched_spot_move(s, spot, SCHED_GDB_STEP) != SCHED_SPOT_STOPPED)
            return false;
    return true;
}

/* The rank has made no step in this segment: back to the call before it. */
static bool go_to_call_before(struct sched_session *s, const struct sched_spot *spot)
{
    if (spot->at == 0)
        return sched_spot_begin_run(s, spot);
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    memcpy(limits, spot->limits, (size_t)s->n * sizeof *limits);
    limits[spot->rank] = spot->at - 1;
    bool ok = sched_session_go_anew(s, limits, spot->rank);
    free(limits);
    return ok;
}

static bool go_back(struct sched_session *s, const struct sched_spot *spot, enum sched_reverse how)
{
    uint64_t visits = spot->state ? count_visits(s, spot) : 1;
    if (!visits || !go_before(s, spot, visits))
        return false;
    long steps = last_step_before(s, spot, how);
    if (steps < 0)
        return false;
    if (steps == 0 && visits > 1) /* the visit itself is the line before */
        return go_before(s, spot, visits);
    if (steps == 0)
        return go_to_call_before(s, spot);
    return go_before(s, spot, visits) && make_steps(s, spot, steps);
}

/* At a call the frame is that of the caller. */
static bool know_frame(struct sched_session *s, struct sched_spot *spot)
{
    return spot->at_line || frame_of(s, spot->rank, &spot->cfa);
}

bool sched_reverse(struct sched_session *s, enum sched_reverse how)
{
    struct sched_spot spot;
    if (!sched_spot_take(s, s->focus, &spot))
        return false;
    bool ok = know_frame(s, &spot) && go_back(s, &spot, how);
    sched_spot_finish(&spot);
    return ok;
}

/* ---- stops ---- */

/* A breakpoint that is the spot itself is no stop before it. */
static long count_stops(struct sched_session *s, const struct sched_spot *spot)
{
    int number = spot->state ? break_at(s, spot, spot->state) : 0;
    long stops = 0;
    enum sched_spot_end end;
    if (spot->state && !number)
        return -1;
    while ((end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE)) == SCHED_SPOT_STOPPED)
        stops++;
    if (number)
        delete_breakpoint(s, spot, number);
    return end == SCHED_SPOT_LOST ? -1 : stops;
}

bool sched_reverse_continue(struct sched_session *s, bool *stopped)
{
    struct sched_spot spot;
    if (!sched_spot_take(s, s->focus, &spot))
        return false;
    long stops = sched_spot_begin_run(s, &spot) ? count_stops(s, &spot) : -1;
    bool ok = stops >= 0 && sched_spot_begin_run(s, &spot);
    for (long i = 0; i < stops && ok; i++)
        ok = sched_spot_move(s, &spot, SCHED_GDB_CONTINUE) == SCHED_SPOT_STOPPED;
    *stopped = stops > 0;
    sched_spot_finish(&spot);
    return ok;
}
