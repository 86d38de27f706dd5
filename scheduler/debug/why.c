/* SPDX-License-Identifier: BSD-3-Clause */
/* See why.h. */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "spot.h"
#include "world/hold.h"

/* ---- the bytes ---- */

static bool number_of(struct sched_session *s, struct sched_gdb *g, int level, const char *format,
                      const char *expression, uint64_t *number)
{
    char *whole = sched_format(format, expression), *value = sched_gdb_evaluate(g, level, whole);
    bool ok = value;
    if (ok)
        *number = strtoull(value, NULL, 0);
    else
        sched_session_fail(s, "%s", sched_gdb_error(g));
    free(whole);
    free(value);
    return ok;
}

/* In Fortran the address of X is LOC(X), which gdb has as an operator in C only: its casts are tried
 * first. */
bool sched_why_bytes(struct sched_session *s, int index, const char *expression, struct sched_bytes *bytes)
{
    int level;
    struct sched_gdb *g = sched_inferior_look_at(s, s->focus, index, &level);
    *bytes = (struct sched_bytes){.rank = s->focus};
    if (!g)
        return false;
    bool ok = number_of(s, g, level, "(unsigned long) &(%s)", expression, &bytes->address) ||
              number_of(s, g, level, "&%s", expression, &bytes->address);
    ok = ok && number_of(s, g, level, "sizeof (%s)", expression, &bytes->size);
    if (ok && (!bytes->address || !bytes->size))
        return sched_session_fail(s, "%s is not in memory", expression);
    return ok;
}

/* ---- watching them ---- */

static uint64_t watched_size(const struct sched_bytes *b)
{
    uint64_t most = b->size < SCHED_WHY_MOST ? b->size : SCHED_WHY_MOST, size = 1;
    while (2 * size <= most && b->address % (2 * size) == 0)
        size *= 2;
    return size;
}

/* In C's words, whatever the frame's language is. */
static int watch(struct sched_session *s, const struct sched_bytes *b)
{
    static const char *const types[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    int number = 0;
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    char *expression = sched_format("*(unsigned %s *) %#" PRIx64, types[watched_size(b)], b->address);
    free(g ? sched_gdb_console(g, "set language c") : NULL);
    if (g && !sched_gdb_watch(g, 0, expression, SCHED_GDB_WRITTEN, &number))
        sched_session_fail(s, "rank %d: %s", b->rank, sched_gdb_error(g));
    free(g ? sched_gdb_console(g, "set language auto") : NULL);
    free(expression);
    return number;
}

static void unwatch(struct sched_session *s, int rank, int number)
{
    if (number && s->inferiors[rank].gdb)
        sched_gdb_break_delete(s->inferiors[rank].gdb, number);
}

/* Runs on to the next change of the bytes. */
static enum sched_spot_end go_to_change(struct sched_session *s, const struct sched_spot *spot,
                                        int watchpoint)
{
    enum sched_spot_end end;
    const struct sched_inferior *i = &s->inferiors[spot->rank];
    do
        end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE);
    while (end == SCHED_SPOT_STOPPED &&
           !(i->stop.reason == SCHED_GDB_WATCHPOINT && i->stop.breakpoint == watchpoint));
    return end;
}

/* How often they change before the spot; -1: session->why. */
static long count_changes(struct sched_session *s, const struct sched_spot *spot, const struct sched_bytes *b)
{
    if (!sched_spot_begin_run(s, spot))
        return -1;
    int watchpoint = watch(s, b),
        end_mark = watchpoint && spot->at_line ? sched_spot_break(s, spot, spot->state) : 0;
    if (!watchpoint)
        return -1;
    long changes = 0;
    enum sched_spot_end end;
    while ((end = go_to_change(s, spot, watchpoint)) == SCHED_SPOT_STOPPED)
        changes++;
    unwatch(s, spot->rank, watchpoint);
    unwatch(s, spot->rank, end_mark);
    return end == SCHED_SPOT_REACHED ? changes : -1;
}

static bool go_to_last_change(struct sched_session *s, const struct sched_spot *spot,
                              const struct sched_bytes *b, long changes)
{
    if (!sched_spot_begin_run(s, spot))
        return false;
    int watchpoint = watch(s, b);
    bool ok = watchpoint;
    for (long i = 0; i < changes && ok; i++)
        ok = go_to_change(s, spot, watchpoint) == SCHED_SPOT_STOPPED;
    unwatch(s, spot->rank, watchpoint);
    return ok;
}

/* ---- messages ---- */

/* The latest receive up to the rank's present event whose buffer has these bytes. */
static bool find_receive(const struct sched_session *s, const struct sched_bytes *b,
                         struct sched_record_name *got)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, b->rank);
    *got = (struct sched_record_name){b->rank, (uint32_t)view.at};
    for (;; got->number--) {
        const struct sched_record_event *e = sched_record_find(s->record, *got);
        if (e && e->call.op == ISP_OP_RECV && e->match && e->call.flags & ISP_F_ADDRESS &&
            b->address >= e->call.address && b->address < e->call.address + e->call.bytes)
            return true;
        if (got->number == 0)
            return false;
    }
}

/* The call that the rank was in. */
static struct sched_record_name present_call(const struct sched_session *s, int rank)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, rank);
    return (struct sched_record_name){rank, (uint32_t)(view.at ? view.at - 1 : 0)};
}

/* MPI has written them: over to the sender, if a message brought them. */
static bool follow(struct sched_session *s, const struct sched_bytes *b, struct sched_why *answer)
{
    answer->kind = SCHED_WHY_CALL;
    if (!find_receive(s, b, &answer->got)) {
        answer->got = present_call(s, b->rank);
        return true;
    }
    const struct sched_record_event *receive = sched_record_find(s->record, answer->got), *send;
    if (!sched_record_partner(s->record, answer->got, &answer->sent) ||
        !(send = sched_record_find(s->record, answer->sent)) || !(send->call.flags & ISP_F_ADDRESS))
        return true;
    answer->kind = SCHED_WHY_MESSAGE;
    answer->from = (struct sched_bytes){answer->sent.rank,
                                        send->call.address + (b->address - receive->call.address), b->size};
    return sched_session_go_to(s, answer->sent);
}

static bool is_in_mpi(struct sched_session *s, int rank)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    bool in = n > 0 && frames[0].call && strncasecmp(frames[0].call, "mpi", 3) == 0;
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return in;
}

static bool tell_change(struct sched_session *s, const struct sched_bytes *b, struct sched_why *answer)
{
    if (is_in_mpi(s, b->rank))
        return follow(s, b, answer);
    answer->kind = SCHED_WHY_LINE;
    return true;
}

bool sched_why_ask(struct sched_session *s, const struct sched_bytes *b, struct sched_why *answer)
{
    struct sched_spot spot;
    *answer = (struct sched_why){.kind = SCHED_WHY_NEVER};
    if (!sched_spot_take(s, b->rank, &spot))
        return false;
    long changes = count_changes(s, &spot, b);
    bool ok = changes >= 0;
    if (changes > 0)
        ok = go_to_last_change(s, &spot, b, changes) && tell_change(s, b, answer);
    else if (ok)
        ok = sched_spot_begin_run(s, &spot);
    sched_spot_finish(&spot);
    return ok;
}

/* ---- names ---- */

static char *name_among(struct sched_session *s, struct sched_gdb *g, int level, const struct sched_bytes *b)
{
    size_t n = 0;
    char *name = NULL;
    struct sched_gdb_value *variables = sched_gdb_variables(g, level, &n);
    for (size_t i = 0; variables && i < n && !name; i++) {
        uint64_t address, size;
        if (!number_of(s, g, level, "(unsigned long) &(%s)", variables[i].name, &address) ||
            !number_of(s, g, level, "sizeof (%s)", variables[i].name, &size) || b->address < address ||
            b->address >= address + size)
            continue;
        name = size == b->size ? sched_strdup(variables[i].name)
                               : sched_format("%s, byte %" PRIu64, variables[i].name, b->address - address);
    }
    if (variables)
        sched_gdb_values_destroy(variables, n);
    return name;
}

char *sched_why_name(struct sched_session *s, const struct sched_bytes *b)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    char *name = NULL;
    for (size_t i = 0; i < n && !name; i++)
        name = name_among(s, g, frames[i].level, b);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    char *question = sched_format("info symbol %#" PRIx64, b->address);
    char *said = g && !name ? sched_gdb_console(g, question) : NULL;
    if (said && strncmp(said, "No symbol", 9) != 0)
        name = sched_must(strndup(said, strcspn(said, " \n")));
    free(question);
    free(said);
    return name;
}
