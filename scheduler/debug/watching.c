/* SPDX-License-Identifier: BSD-3-Clause */
/* See watching.h. */
#include "watching.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"

/* ---- owners ---- */

/* "count + 23 in section .text": how far the instruction is behind the beginning of its function. */
static bool find_entry(struct sched_gdb *g, int level, uint64_t *entry)
{
    uint64_t pc, offset = 0;
    if (!sched_gdb_register(g, level, "pc", &pc))
        return false;
    char *question = sched_format("info symbol %#" PRIx64, pc), *said = sched_gdb_console(g, question);
    const char *end = said ? strstr(said, " in section ") : NULL;
    if (end) {
        const char *plus = end;
        while (plus > said && strncmp(plus, " + ", 3) != 0)
            plus--;
        offset = plus > said ? strtoull(plus + 3, NULL, 10) : 0;
    }
    *entry = pc - offset;
    free(question);
    free(said);
    return end;
}

static bool is_static(struct sched_gdb *g, uint64_t address)
{
    char *question = sched_format("info symbol %#" PRIx64, address), *said = sched_gdb_console(g, question);
    bool is = said && strncmp(said, "No symbol", 9) != 0;
    free(question);
    free(said);
    return is;
}

/* Stacks grow downwards: the first frame, from the innermost, that ends above the address. */
static bool find_frame(struct sched_gdb *g, uint64_t address, struct sched_owner *o)
{
    size_t n = 0;
    uint64_t sp, cfa;
    bool found = false;
    struct sched_gdb_frame *frames = sched_gdb_frames(g, 0, &n);
    bool stack = n > 0 && sched_gdb_register(g, 0, "sp", &sp) && address >= sp;
    for (size_t i = 0; i < n && stack && !found; i++) {
        found = sched_gdb_frame_address(g, frames[i].level, &cfa) && address < cfa;
        if (found && frames[i].function && find_entry(g, frames[i].level, &o->entry)) {
            o->function = sched_strdup(frames[i].function);
            o->cfa = cfa;
        }
    }
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    return found;
}

void sched_owner_find(struct sched_session *s, const struct sched_bytes *b, struct sched_owner *o)
{
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    *o = (struct sched_owner){0};
    if (g && !find_frame(g, b->address, o))
        o->heap = !is_static(g, b->address);
}

void sched_owner_finish(struct sched_owner *o)
{
    free(o->function);
    *o = (struct sched_owner){0};
}

/* ---- breakpoints that count ---- */

/* In C's words, whatever the frame's language is (why.c has set it). */
static int watch(struct sched_session *s, const struct sched_bytes *b, const char *condition)
{
    int number = 0;
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    char *expression =
        sched_format("*(unsigned char (*)[%" PRIu64 "]) %#" PRIx64, sched_why_watched(b), b->address);
    if (g && !(sched_gdb_watch(g, 0, expression, SCHED_GDB_WRITTEN, &number) &&
               sched_gdb_break_when(g, number, condition)))
        sched_session_fail(s, "rank %d: %s", b->rank, sched_gdb_error(g));
    free(expression);
    return number;
}

/* The C library tells how large a block is in the word before it. */
static char *birth(const struct sched_owner *o, const struct sched_bytes *b, const char *then)
{
    if (o->function)
        return sched_format("(unsigned long) $sp + 8 == %#" PRIx64 " && %s", o->cfa, then);
    return sched_format("(unsigned long) $rdi - 1 < %#" PRIx64 " && %#" PRIx64
                        " < (unsigned long) $rdi + (*(unsigned long *) ($rdi - 8) & ~7ul) - 8 && %s",
                        b->address, b->address, then);
}

/* 0: there is nobody of whom that could be asked. */
static int mark_birth(struct sched_session *s, const struct sched_owner *o, const struct sched_bytes *b,
                      const char *then)
{
    struct sched_gdb_breakpoint made;
    struct sched_gdb *g = sched_inferior_look(s, b->rank);
    if (!g || !(o->function || o->heap))
        return 0;
    char *place = o->function ? sched_format("*%#" PRIx64, o->entry) : sched_strdup("*__libc_free");
    char *condition = birth(o, b, then);
    int number = sched_gdb_break(g, place, condition, false, &made) ? made.number : 0;
    if (number)
        sched_gdb_breakpoint_finish(&made);
    free(place);
    free(condition);
    return number;
}

static bool set(struct sched_session *s, int rank, const char *text)
{
    struct sched_gdb *g = sched_inferior_look(s, rank);
    char *said = g ? sched_gdb_console(g, text) : NULL;
    bool ok = said;
    free(said);
    return ok || sched_session_fail(s, "rank %d: gdb cannot count", rank);
}

static void delete (struct sched_session *s, int rank, int number)
{
    if (number && s->inferiors[rank].gdb)
        sched_gdb_break_delete(s->inferiors[rank].gdb, number);
}

static long counted(struct sched_session *s, int rank, const char *name)
{
    struct sched_gdb *g = sched_inferior_look(s, rank);
    char *value = g ? sched_gdb_evaluate(g, 0, name) : NULL;
    long number = value ? strtol(value, NULL, 10) : 0;
    free(value);
    return number;
}

/* ---- runs ---- */

/* To this breakpoint, past those of others; 0: to the spot. Within a function of the C library the two may
 * look alike: it is the breakpoint, then. */
static bool run_to(struct sched_session *s, const struct sched_spot *spot, int breakpoint)
{
    for (;;) {
        enum sched_spot_end end = sched_spot_move(s, spot, SCHED_GDB_CONTINUE);
        const struct sched_inferior *i = &s->inferiors[spot->rank];
        if (end == SCHED_SPOT_LOST || end == SCHED_SPOT_PASSED)
            return false;
        if (breakpoint && i->at_line && i->stop.breakpoint == breakpoint)
            return true;
        if (end == SCHED_SPOT_REACHED)
            return !breakpoint ||
                   sched_session_fail(
                       s, "rank %d did not write it again: it depends on something else than messages",
                       spot->rank);
    }
}

bool sched_changes_count(struct sched_session *s, const struct sched_spot *spot, const struct sched_bytes *b,
                         const struct sched_owner *o, struct sched_changes *changes)
{
    char first[SCHED_WHY_MOST] = {0}; /* memory that is not there yet will be zeros */
    if (!sched_spot_begin_run(s, spot))
        return false;
    sched_why_read(s, b, first);
    if (!set(s, spot->rank, "set $isp_changes = 0, $isp_births = 0, $isp_before = 0"))
        return false;
    int watchpoint = watch(s, b, "($isp_changes = $isp_changes + 1) < 0");
    int end_mark = watchpoint && spot->at_line ? sched_spot_break(s, spot, spot->state) : 0;
    bool ok = watchpoint && (end_mark || !spot->at_line);
    int birth_mark =
        ok ? mark_birth(s, o, b, "($isp_births = $isp_births + 1) && ($isp_before = $isp_changes) < 0") : 0;
    ok = ok && run_to(s, spot, 0);
    delete (s, spot->rank, watchpoint);
    delete (s, spot->rank, end_mark);
    delete (s, spot->rank, birth_mark);
    if (ok)
        *changes = (struct sched_changes){.all = counted(s, spot->rank, "$isp_changes"),
                                          .births = counted(s, spot->rank, "$isp_births"),
                                          .before_birth = counted(s, spot->rank, "$isp_before")};
    memcpy(changes->first, first, sizeof first);
    return ok;
}

bool sched_changes_go(struct sched_session *s, const struct sched_spot *spot, const struct sched_bytes *b,
                      long number)
{
    if (!sched_spot_begin_run(s, spot) || !set(s, spot->rank, "set $isp_changes = 0"))
        return false;
    char *condition = sched_format("($isp_changes = $isp_changes + 1) == %ld", number);
    int watchpoint = watch(s, b, condition);
    bool ok = watchpoint && run_to(s, spot, watchpoint);
    delete (s, spot->rank, watchpoint);
    free(condition);
    return ok;
}

bool sched_births_go(struct sched_session *s, const struct sched_spot *spot, const struct sched_bytes *b,
                     const struct sched_owner *o, long number)
{
    if (!sched_spot_begin_run(s, spot) || !set(s, spot->rank, "set $isp_births = 0"))
        return false;
    char *then = sched_format("($isp_births = $isp_births + 1) == %ld", number);
    int mark = mark_birth(s, o, b, then);
    bool ok = mark && run_to(s, spot, mark);
    delete (s, spot->rank, mark);
    free(then);
    return ok;
}
