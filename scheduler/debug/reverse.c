/* SPDX-License-Identifier: BSD-3-Clause */
/* See reverse.h. */
#include "reverse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "breaks.h"
#include "inferior.h"
#include "line_before.h"
#include "motion.h"
#include "printing.h"
#include "spot.h"

/* ---- visits of a line ---- */

static void delete_breakpoint(struct sched_session *s, const struct sched_spot *spot, int number)
{
    if (s->inferiors[spot->rank].gdb)
        sched_gdb_break_delete(s->inferiors[spot->rank].gdb, number);
}

static bool count_from_0(struct sched_session *s, const struct sched_spot *spot)
{
    struct sched_gdb *g = sched_inferior_look(s, spot->rank);
    char *said = g ? sched_gdb_console(g, "set $isp_visits = 0") : NULL;
    bool ok = said;
    free(said);
    return ok;
}

/* Goes on until this breakpoint stops the rank, past those of others. */
static enum sched_spot_end run_to(struct sched_session *s, const struct sched_spot *spot, int breakpoint)
{
    enum sched_spot_end end;
    do
        end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE);
    while (end == SCHED_SPOT_STOPPED && s->inferiors[spot->rank].stop.breakpoint != breakpoint);
    return end;
}

/* From where the segment begins: how often the place is visited up to the spot, which is the last visit. 0:
 * session->why. What a place is like that is visited once only is not asked again: a variable that has no
 * value yet may have another. */
static uint64_t count_visits(struct sched_session *s, struct sched_spot *spot)
{
    if (!count_from_0(s, spot))
        return 0;
    char *condition = sched_format("($isp_visits = $isp_visits + 1) && %s", spot->state);
    int number = sched_spot_break(s, spot, condition);
    enum sched_spot_end end = number ? run_to(s, spot, number) : SCHED_SPOT_LOST;
    free(condition);
    if (number)
        delete_breakpoint(s, spot, number);
    if (end == SCHED_SPOT_LOST || !sched_inferior_look(s, spot->rank))
        return 0;
    char *count = sched_gdb_evaluate(s->inferiors[spot->rank].gdb, 0, "$isp_visits");
    uint64_t visits = count ? strtoull(count, NULL, 10) : 0;
    free(count);
    if (end == SCHED_SPOT_REACHED)
        return visits;
    free(spot->state);
    spot->state = NULL;
    return visits == 1 ? visits : 0;
}

/* Stands at visit `number` of the place, from 1; 0: where the segment begins. */
static bool go_to_visit(struct sched_session *s, const struct sched_spot *spot, uint64_t number)
{
    if (sched_spot_begin_segment(s, spot) != SCHED_SPOT_STOPPED)
        return false;
    if (number == 0)
        return true;
    if (!count_from_0(s, spot))
        return false;
    char *condition = sched_format("($isp_visits = $isp_visits + 1) == %" PRIu64, number);
    int breakpoint = sched_spot_break(s, spot, condition);
    free(condition);
    bool ok = breakpoint && run_to(s, spot, breakpoint) == SCHED_SPOT_STOPPED;
    if (breakpoint)
        delete_breakpoint(s, spot, breakpoint);
    return ok;
}

/* From where a run to the spot is short: the visit of its place before the last, or the segment's
 * beginning. */
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

/* Where a call has returned may be the beginning of a line: then that is a line to stop at. */
static bool is_at_line_start(struct sched_session *s, const struct sched_spot *spot)
{
    int level;
    uint64_t pc;
    struct sched_gdb *g = sched_inferior_look_at(s, spot->rank, 0, &level);
    char *said = g && sched_gdb_register(g, level, "pc", &pc) ? sched_gdb_console(g, "info line *$pc") : NULL;
    const char *start = said ? strstr(said, "starts at address ") : NULL;
    bool is = start && strtoull(start + strlen("starts at address "), NULL, 0) == pc;
    free(said);
    return is;
}

enum { FAILED = -1, NONE = -2 };

/* Steps on to the spot; how many steps lead to the last place before it at which one may stop, or NONE. */
static long step_to(struct sched_session *s, const struct sched_spot *spot, enum sched_reverse how)
{
    uint64_t cfa;
    bool here = is_at_line_start(s, spot) && frame_of(s, spot->rank, &cfa) && is_wanted(how, cfa, spot);
    long last = here ? 0 : NONE;
    for (long step = 1;; step++)
        switch (sched_spot_move(s, spot, SCHED_GDB_STEP)) {
        case SCHED_SPOT_PASSED:
        case SCHED_SPOT_LOST: return FAILED;
        case SCHED_SPOT_REACHED: return last;
        case SCHED_SPOT_STOPPED:
            if (frame_of(s, spot->rank, &cfa) && is_wanted(how, cfa, spot))
                last = step;
        }
}

/* The spot may be within a line: a breakpoint keeps the last step from going past it. */
static long last_step_before(struct sched_session *s, const struct sched_spot *spot, enum sched_reverse how)
{
    int mark = spot->at_line ? sched_spot_break(s, spot, spot->state) : 0;
    if (spot->at_line && !mark)
        return FAILED;
    long last = step_to(s, spot, how);
    if (mark)
        delete_breakpoint(s, spot, mark);
    return last;
}

static bool make_steps(struct sched_session *s, const struct sched_spot *spot, long steps)
{
    while (steps-- > 0)
        if (sched_spot_move(s, spot, SCHED_GDB_STEP) != SCHED_SPOT_STOPPED)
            return false;
    return true;
}

/* Without the rank's own counting: step by step from the last visit but one of the place, by gdb. */
static bool go_back_by_gdb(struct sched_session *s, struct sched_spot *spot, enum sched_reverse how)
{
    enum sched_spot_end beginning = sched_spot_begin_segment(s, spot);
    if (beginning == SCHED_SPOT_REACHED)
        return sched_spot_go_to_call_before(s, spot);
    if (beginning != SCHED_SPOT_STOPPED)
        return false;
    uint64_t visits = spot->state ? count_visits(s, spot) : 1;
    if (!visits || !go_before(s, spot, visits))
        return false;
    long steps = last_step_before(s, spot, how);
    if (steps == FAILED)
        return false;
    if (steps == NONE)
        return sched_spot_go_to_call_before(s, spot); /* no line begins before in this segment */
    return go_before(s, spot, visits) && make_steps(s, spot, steps);
}

static bool go_back(struct sched_session *s, struct sched_spot *spot, enum sched_reverse how)
{
    struct sched_visit visit;
    enum sched_visits before = sched_line_before(s, spot, how == SCHED_REVERSE_FINISH, &visit);
    if (before != SCHED_VISITS_FOUND)
        return !s->broken_off && go_back_by_gdb(s, spot, how);
    if (!sched_visits_go(s, spot, &visit))
        return false;
    if (how != SCHED_REVERSE_STEP)
        return true;
    long steps = last_step_before(s, spot, how); /* into what the line has called */
    return steps != FAILED && sched_visits_go(s, spot, &visit) &&
           (steps == NONE || make_steps(s, spot, steps));
}

/* At a call the frame is that of the caller. */
static bool know_frame(struct sched_session *s, struct sched_spot *spot)
{
    return spot->at_line || frame_of(s, spot->rank, &spot->cfa);
}

/* A rank that has left has nothing to be stopped in: it goes back into its last call. */
static bool has_left(const struct sched_session *s)
{
    return sched_motion_standing(s, s->focus) == SCHED_IS_OVER;
}

bool sched_reverse(struct sched_session *s, enum sched_reverse how)
{
    struct sched_spot spot;
    if (has_left(s))
        return sched_session_go_anew(s, s->last, s->focus);
    if (!sched_spot_take(s, s->focus, &spot))
        return false;
    sched_printing_mute(s->printing, true);
    bool ok = know_frame(s, &spot) && go_back(s, &spot, how);
    sched_printing_mute(s->printing, false);
    sched_spot_finish(&spot);
    return ok;
}

/* ---- stops ---- */

/* Stands at the last event before the spot that a breakpoint at messages is about: others where they were. */
static bool begin_at_event(struct sched_session *s, const struct sched_spot *spot, uint64_t event)
{
    uint64_t *limits = sched_copy(spot->limits, (size_t)s->n * sizeof *limits);
    limits[spot->rank] = event;
    bool ok = sched_session_go_anew(s, limits, spot->rank);
    free(limits);
    return ok;
}

/* From where stops are counted: such an event, or the run's start. */
static bool begin(struct sched_session *s, const struct sched_spot *spot, const uint64_t *event)
{
    return event ? begin_at_event(s, spot, *event) : sched_spot_begin_run(s, spot);
}

/* From there to the spot; -1: session->why. A rank that has no gdb has none of its stops. A breakpoint that
 * is the spot itself is no stop before it. */
static long count_stops(struct sched_session *s, const struct sched_spot *spot, const uint64_t *event)
{
    if (!s->inferiors[spot->rank].gdb)
        return 0;
    if (!begin(s, spot, event))
        return -1;
    int number = spot->at_line ? sched_spot_break(s, spot, spot->state) : 0;
    long stops = 0;
    enum sched_spot_end end;
    if (spot->at_line && !number)
        return -1;
    while ((end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE)) == SCHED_SPOT_STOPPED)
        stops++;
    if (number)
        delete_breakpoint(s, spot, number);
    return end == SCHED_SPOT_REACHED ? stops : -1;
}

bool sched_reverse_continue(struct sched_session *s, bool *stopped)
{
    struct sched_spot spot;
    uint64_t number;
    if (has_left(s) && !sched_session_go_anew(s, s->last, s->focus))
        return false;
    if (!sched_spot_take(s, s->focus, &spot))
        return false;
    struct sched_record_name at = {spot.rank, (uint32_t)spot.at};
    const uint64_t *event = sched_breaks_before(s, at, &number) ? &number : NULL;
    sched_printing_mute(s->printing, true);
    long stops = count_stops(s, &spot, event);
    bool ok = stops >= 0;
    if (ok && event && stops == 0) { /* a causal stop */
        at.number = (uint32_t)number;
        ok = sched_session_go_to(s, at);
    } else if (ok) {
        ok = begin(s, &spot, event);
    }
    for (long i = 0; i < stops && ok; i++)
        ok = sched_spot_move(s, &spot, SCHED_GDB_CONTINUE) == SCHED_SPOT_STOPPED;
    *stopped = stops > 0 || event;
    sched_printing_mute(s->printing, false);
    sched_spot_finish(&spot);
    return ok;
}
