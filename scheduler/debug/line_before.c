/* SPDX-License-Identifier: BSD-3-Clause */
/* See line_before.h. */
#include "line_before.h"

#include <stdlib.h>

#include "inferior.h"

/* The lines of one of the rank's frames, where its stack pointer is, and which line it is in. */
struct around {
    struct sched_gdb_line *lines;
    size_t n;
    struct sched_stack stack;
    uint64_t pc;
};

static struct around look_around(struct sched_gdb *g, const struct sched_gdb_frame *f)
{
    struct around a = {0};
    if (!f->file || !sched_gdb_register(g, f->level, "sp", &a.stack.low) ||
        !sched_gdb_frame_address(g, f->level, &a.stack.high))
        return a;
    a.pc = f->pc;
    a.lines = sched_gdb_lines(g, f->file, f->pc, &a.n);
    return a;
}

/* The line of a call: its instruction is before where it returns to. */
static const struct sched_gdb_line *line_of_call(const struct around *a)
{
    const struct sched_gdb_line *line = NULL;
    for (size_t i = 0; i < a->n && a->lines[i].address < a->pc; i++)
        line = &a->lines[i];
    return line;
}

static enum sched_visits before_in(struct sched_session *s, struct sched_spot *spot, const struct around *own,
                                   const struct around *caller, bool outside, struct sched_visit *visit)
{
    enum sched_visits found = SCHED_VISITS_NONE;
    if (!outside)
        found = own->n ? sched_visits_before(s, spot, own->lines, own->n, own->stack, visit)
                       : SCHED_VISITS_UNKNOWN;
    const struct sched_gdb_line *call = line_of_call(caller);
    if (found != SCHED_VISITS_NONE || !call)
        return found == SCHED_VISITS_NONE ? SCHED_VISITS_UNKNOWN : found;
    found = sched_visits_before(s, spot, call, 1, caller->stack, visit);
    return found == SCHED_VISITS_NONE ? SCHED_VISITS_UNKNOWN : found;
}

enum sched_visits sched_line_before(struct sched_session *s, struct sched_spot *spot, bool outside,
                                    struct sched_visit *visit)
{
    size_t n = 0;
    struct sched_gdb *g = sched_inferior_look(s, spot->rank);
    struct sched_gdb_frame *frames = g ? sched_gdb_frames(g, 0, &n) : NULL;
    struct around own = {0}, caller = {0};
    if (n > 0)
        own = look_around(g, &frames[0]);
    if (n > 1)
        caller = look_around(g, &frames[1]);
    enum sched_visits found = before_in(s, spot, &own, &caller, outside, visit);
    free(own.lines);
    free(caller.lines);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return found;
}
