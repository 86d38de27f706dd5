/* SPDX-License-Identifier: BSD-3-Clause */
/* See spot.h. */
#include "spot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "world/hold.h"

enum {
    RED_ZONE = 128,  /* bytes below the stack pointer that a function without calls may use */
    MOST_WORDS = 96, /* of a frame */
};

/* ---- taking one ---- */

/* Those that a function may keep its variables in (x86-64). */
static const char *const registers[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi",
                                        "r8",  "r9",  "r12", "r13", "r14", "r15"};

/* The words that differ soonest in a loop come first: those of the frame, from its beginning. */
static char *state_of(struct sched_gdb *g, uint64_t sp, uint64_t cfa)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    fprintf(out, "$sp == %#" PRIx64, sp);
    uint64_t words[MOST_WORDS], from = sp - RED_ZONE, bytes = cfa > from ? (cfa - from) & ~UINT64_C(7) : 0;
    if (bytes > sizeof words) {
        from += bytes - sizeof words;
        bytes = sizeof words;
    }
    if (bytes && sched_gdb_read(g, from, words, bytes))
        for (size_t i = bytes / 8; i-- > 0;)
            fprintf(out, " && *(unsigned long *) %#" PRIx64 " == %#" PRIx64, from + 8 * i, words[i]);
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        uint64_t value;
        if (sched_gdb_register(g, 0, registers[i], &value))
            fprintf(out, " && $%s == %#" PRIx64, registers[i], value);
    }
    fclose(out);
    return sched_must(text);
}

static bool take_line(struct sched_session *s, int rank, struct sched_spot *spot)
{
    uint64_t sp;
    int level;
    struct sched_gdb *g = sched_inferior_look_at(s, rank, 0, &level);
    if (!g)
        return false;
    if (!sched_gdb_register(g, level, "pc", &spot->pc) || !sched_gdb_register(g, level, "sp", &sp) ||
        !sched_gdb_frame_address(g, level, &spot->cfa))
        return sched_session_fail(s, "rank %d: %s", rank, sched_gdb_error(g));
    if (level == 0)
        spot->state = state_of(g, sp, spot->cfa);
    return true;
}

bool sched_spot_take(struct sched_session *s, int rank, struct sched_spot *spot)
{
    struct sched_held_view view = sched_hold_view(s->now->s.world, rank);
    *spot = (struct sched_spot){
        .rank = rank, .at = view.in_call ? view.at - 1 : view.at, .at_line = s->inferiors[rank].at_line};
    spot->limits = sched_alloc((size_t)s->n, sizeof *spot->limits);
    memcpy(spot->limits, s->limits, (size_t)s->n * sizeof *spot->limits);
    if (!spot->at_line || take_line(s, rank, spot))
        return true;
    sched_spot_finish(spot);
    return false;
}

void sched_spot_finish(struct sched_spot *spot)
{
    free(spot->state);
    free(spot->limits);
    *spot = (struct sched_spot){0};
}

/* ---- going to it ---- */

static bool go_with(struct sched_session *s, const struct sched_spot *spot, uint64_t limit)
{
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    memcpy(limits, spot->limits, (size_t)s->n * sizeof *limits);
    limits[spot->rank] = limit;
    bool ok = sched_session_go_anew(s, limits, spot->rank);
    free(limits);
    return ok;
}

bool sched_spot_begin_run(struct sched_session *s, const struct sched_spot *spot)
{
    return go_with(s, spot, 0);
}

bool sched_spot_begin_segment(struct sched_session *s, const struct sched_spot *spot)
{
    struct sched_record_name before = {spot->rank, (uint32_t)spot->at};
    if (spot->at > 0) /* the call before, which may have made several events */
        do
            before.number--;
        while (before.number > 0 && sched_record_find(s->record, before) &&
               sched_record_find(s->record, before)->call.flags & ISP_F_CONTINUES);
    if (!go_with(s, spot, before.number))
        return false;
    return sched_spot_move(s, spot, SCHED_GDB_INSTRUCTION) != SCHED_SPOT_LOST;
}

static bool is_there(struct sched_session *s, const struct sched_spot *spot)
{
    int level;
    uint64_t pc;
    struct sched_held_view view = sched_hold_view(s->now->s.world, spot->rank);
    if (!s->inferiors[spot->rank].at_line)
        return !spot->at_line && (view.held || view.in_call) &&
               (view.in_call ? view.at - 1 : view.at) >= spot->at;
    struct sched_gdb *g =
        spot->at_line && view.at == spot->at ? sched_inferior_look_at(s, spot->rank, 0, &level) : NULL;
    if (!g || !sched_gdb_register(g, level, "pc", &pc) || pc != spot->pc)
        return false;
    char *is = spot->state ? sched_gdb_evaluate(g, 0, spot->state) : NULL;
    bool there = spot->state ? is && strcmp(is, "1") == 0 : true;
    free(is);
    return there;
}

enum sched_spot_end sched_spot_move(struct sched_session *s, const struct sched_spot *spot,
                                    enum sched_gdb_move move)
{
    bool *set = sched_alloc((size_t)s->n, sizeof *set);
    set[spot->rank] = true;
    struct sched_motion motion = {.set = set, .move = move, .capped = true, .most = spot->at};
    enum sched_motion_end end = sched_motion_make(s, &motion);
    free(set);
    if (end == SCHED_MOTION_FAILED)
        return SCHED_SPOT_LOST;
    if (end == SCHED_MOTION_BROKEN_OFF) {
        sched_session_fail(s, "interrupted on the way back");
        return SCHED_SPOT_LOST;
    }
    if (is_there(s, spot))
        return SCHED_SPOT_REACHED;
    if (s->inferiors[spot->rank].at_line)
        return SCHED_SPOT_STOPPED;
    sched_session_fail(
        s, "rank %d did not come to the same place again: it depends on something else than messages",
        spot->rank);
    return SCHED_SPOT_LOST;
}
