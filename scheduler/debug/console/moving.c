/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that move ranks: see motion.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "commands.h"
#include "debug/breaks.h"
#include "debug/inferior.h"
#include "debug/motion.h"
#include "debug/reverse.h"
#include "debug/revisit.h"
#include "debug/view.h"
#include "words/words.h"
#include "world/hold.h"

/* Ranks of the set that wait: for a trivial parallel reason, or for ever. */
static void tell_waiting(struct sched_console *c)
{
    int *ranks = sched_alloc((size_t)c->session->n, sizeof *ranks), n = 0;
    for (int r = 0; r < c->session->n; r++)
        if (c->set[r] && r != c->session->focus && sched_motion_standing(c->session, r) == SCHED_WAITS)
            ranks[n++] = r;
    char *who = sched_words_ranks(ranks, (size_t)n);
    if (n)
        printf("%s wait%s: ranks shows for whom\n", who, n == 1 ? "s" : "");
    free(who);
    free(ranks);
}

/* The focus is to be where something has happened. */
static void take_focus(struct sched_console *c)
{
    struct sched_session *s = c->session;
    if (c->set[s->focus])
        return;
    int r = 0;
    while (r < s->n - 1 && !c->set[r])
        r++;
    s->focus = r;
}

/* The breakpoint at messages at which a rank stands now. */
static bool put_break(struct sched_console *c, int rank)
{
    bool in;
    int number = sched_breaks_at(c->session, sched_session_event(c->session, rank, &in));
    if (number)
        printf("rank %d comes to breakpoint %d\n", rank, number);
    return number;
}

/* ... of all ranks; `looks`: where somebody has, unless the focus has, the focus is. */
static void put_breaks(struct sched_console *c, const struct sched_motion_cap *caps, bool looks)
{
    int first = -1;
    for (int r = 0; r < c->session->n; r++)
        if (caps[r].reached && put_break(c, r))
            first = first < 0 || r == c->session->focus ? r : first;
    if (looks && first >= 0)
        c->session->focus = first;
}

static bool move(struct sched_console *c, enum sched_gdb_move how, const char *place)
{
    struct sched_session *s = c->session;
    memset(c->level, 0, (size_t)s->n * sizeof *c->level);
    struct sched_motion motion = {.set = c->set, .move = how, .place = *place ? place : NULL};
    motion.caps = sched_breaks_caps(s, c->set);
    enum sched_motion_end end = sched_motion_make(s, &motion);
    if (end == SCHED_MOTION_FAILED) {
        free(motion.caps);
        return false;
    }
    if (end == SCHED_MOTION_BROKEN_OFF)
        puts("interrupted");
    sched_breaks_stop(s, motion.caps);
    take_focus(c);
    put_breaks(c, motion.caps, end == SCHED_MOTION_DONE);
    free(motion.caps);
    sched_revisit_note(s);
    sched_console_show(c);
    tell_waiting(c);
    return true;
}

/* A number is a line of the focus's file. Caller frees. */
static char *place_of(struct sched_console *c, const char *args)
{
    struct sched_view_row row = sched_view_rank(c->session, c->session->focus);
    bool line = *args && strspn(args, "0123456789") == strlen(args) && row.file;
    char *place = line ? sched_format("%s:%s", row.file, args) : sched_strdup(args);
    sched_view_finish(&row);
    return place;
}

/* gdb itself would say so only when the rank runs already. */
static bool is_there(struct sched_console *c, const char *place)
{
    struct sched_gdb_breakpoint b;
    struct sched_gdb *g = sched_inferior_look(c->session, c->session->focus);
    if (!g)
        return false;
    if (!sched_gdb_break(g, place, NULL, true, &b))
        return sched_session_fail(c->session, "%s", sched_gdb_error(g));
    bool there = !b.is_pending;
    sched_gdb_break_delete(g, b.number);
    sched_gdb_breakpoint_finish(&b);
    return there || sched_session_fail(c->session, "until which line? there is no %s", place);
}

bool sched_do_until(struct sched_console *c, const char *args)
{
    char *place = place_of(c, args);
    bool ok = (!*place || is_there(c, place)) && move(c, SCHED_GDB_UNTIL, place);
    free(place);
    return ok;
}

bool sched_do_step(struct sched_console *c, const char *args) { return move(c, SCHED_GDB_STEP, ""); }
bool sched_do_next(struct sched_console *c, const char *args) { return move(c, SCHED_GDB_NEXT, ""); }
bool sched_do_finish(struct sched_console *c, const char *args) { return move(c, SCHED_GDB_FINISH, ""); }
bool sched_do_continue(struct sched_console *c, const char *args) { return move(c, SCHED_GDB_CONTINUE, ""); }

/* ---- back ---- */

static bool reverse(struct sched_console *c, enum sched_reverse how)
{
    struct sched_session *s = c->session;
    memset(c->level, 0, (size_t)s->n * sizeof *c->level);
    if (!sched_reverse(s, how))
        return false;
    sched_revisit_note(s);
    sched_console_show(c);
    return true;
}

bool sched_do_reverse_step(struct sched_console *c, const char *args)
{
    return reverse(c, SCHED_REVERSE_STEP);
}
bool sched_do_reverse_next(struct sched_console *c, const char *args)
{
    return reverse(c, SCHED_REVERSE_NEXT);
}
bool sched_do_reverse_finish(struct sched_console *c, const char *args)
{
    return reverse(c, SCHED_REVERSE_FINISH);
}

bool sched_do_reverse_continue(struct sched_console *c, const char *args)
{
    bool stopped;
    memset(c->level, 0, (size_t)c->session->n * sizeof *c->level);
    if (!sched_reverse_continue(c->session, &stopped))
        return false;
    if (!stopped)
        puts("nothing stops it before: this is the start");
    else if (!c->session->inferiors[c->session->focus].at_line)
        put_break(c, c->session->focus);
    sched_revisit_note(c->session);
    sched_console_show(c);
    return true;
}
