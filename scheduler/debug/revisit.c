/* SPDX-License-Identifier: BSD-3-Clause */
/* See revisit.h. */
#include "revisit.h"

#include "inferior.h"
#include "visits.h"

void sched_revisit_note(struct sched_session *s)
{
    struct sched_spot spot;
    bool between = s->inferiors[s->focus].at_line && !s->inferiors[s->focus].over;
    if (between && sched_spot_take(s, s->focus, &spot))
        sched_history_add_spot(s->history, s->limits, s->focus, &spot);
    else
        sched_history_add(s->history, s->limits, s->focus);
}

/* From the call before it, past what else stops the rank. */
static bool go_to_spot(struct sched_session *s, struct sched_spot *spot)
{
    if (sched_visits_return(s, spot))
        return true;
    if (s->broken_off)
        return false;
    enum sched_spot_end end = sched_spot_begin_segment(s, spot);
    int mark = end == SCHED_SPOT_STOPPED ? sched_spot_break(s, spot, spot->state) : 0;
    while (mark && end == SCHED_SPOT_STOPPED)
        end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE);
    if (mark && s->inferiors[spot->rank].gdb)
        sched_gdb_break_delete(s->inferiors[spot->rank].gdb, mark);
    return end == SCHED_SPOT_REACHED;
}

bool sched_revisit(struct sched_session *s, const struct sched_history_place *place)
{
    if (place->spot && (go_to_spot(s, place->spot) || s->broken_off))
        return !s->broken_off;
    return sched_session_go(s, place->limits, place->focus);
}
