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
    MOST_BYTES = 64,  /* of one variable */
    MOST_FRAMES = 16, /* whose variables are looked at */
};

/* ---- taking one ---- */

/* Those that a function must give back as they were (x86-64), as isp/visits.h has them: others may hold what
 * a call has left behind, which may depend on time. */
static const char *const registers[ISP_VISIT_REGISTERS] = {"sp", "rbp", "rbx", "r12", "r13", "r14", "r15"};

/* A variable that lies in memory: its bytes. */
static void take_variable(struct sched_spot *spot, struct sched_gdb *g, int level, const char *name)
{
    unsigned char bytes[MOST_BYTES];
    uint64_t address = 0, size = 0;
    if (!sched_gdb_place(g, level, name, &address, &size) || !address || !size || size > MOST_BYTES ||
        spot->n_words + size > ISP_VISIT_WORDS_MOST || !sched_gdb_read(g, address, bytes, size))
        return;
    for (uint64_t at = 0; at < size;) {
        struct isp_visit_word word = {.address = address + at};
        word.bytes = size - at >= 8 ? 8 : size - at >= 4 ? 4 : size - at >= 2 ? 2 : 1;
        memcpy(&word.value, bytes + at, word.bytes);
        at += word.bytes;
        SCHED_GROW(spot->words, spot->n_words);
        spot->words[spot->n_words++] = word;
    }
}

static void take_variables(struct sched_spot *spot, struct sched_gdb *g, int level)
{
    size_t n = 0;
    struct sched_gdb_value *variables = sched_gdb_variables(g, level, &n);
    for (size_t i = 0; variables && i < n; i++)
        take_variable(spot, g, level, variables[i].name);
    if (variables)
        sched_gdb_values_destroy(variables, n);
}

/* Also of those that have called it: they tell apart calls that are alike. */
static void take_state(struct sched_spot *spot, struct sched_gdb *g)
{
    size_t n = 0;
    struct sched_gdb_frame *frames = sched_gdb_frames(g, 0, &n);
    for (size_t i = 0; frames && i < n && i < MOST_FRAMES; i++)
        take_variables(spot, g, frames[i].level);
    if (frames)
        sched_gdb_frames_destroy(frames, n);
    for (int i = 0; i < ISP_VISIT_REGISTERS; i++)
        if (sched_gdb_register(g, 0, registers[i], &spot->registers[i]))
            spot->known |= (uint8_t)(1 << i);
}

/* The same as an expression of gdb's. */
static char *state_of(const struct sched_spot *spot)
{
    static const char *const types[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    fputs("1", out);
    for (unsigned i = 0; i < spot->n_words; i++)
        fprintf(out, " && *(unsigned %s *) %#" PRIx64 " == %#" PRIx64, types[spot->words[i].bytes],
                spot->words[i].address, spot->words[i].value);
    for (int i = 0; i < ISP_VISIT_REGISTERS; i++)
        if (spot->known & 1 << i)
            fprintf(out, " && (unsigned long) $%s == %#" PRIx64, registers[i], spot->registers[i]);
    fclose(out);
    return sched_must(text);
}

static bool take_line(struct sched_session *s, int rank, struct sched_spot *spot)
{
    int level;
    struct sched_gdb *g = sched_inferior_look_at(s, rank, 0, &level);
    if (!g)
        return false;
    if (!sched_gdb_register(g, level, "pc", &spot->pc) || !sched_gdb_frame_address(g, level, &spot->cfa))
        return sched_session_fail(s, "rank %d: %s", rank, sched_gdb_error(g));
    if (level == 0) {
        spot->here = sched_gdb_line_at(g, spot->pc);
        take_state(spot, g);
        spot->state = state_of(spot);
    }
    return true;
}

bool sched_spot_take(struct sched_session *s, int rank, struct sched_spot *spot)
{
    if (s->limits[rank] == ISP_HOLD_IN_INIT && !s->inferiors[rank].at_line)
        return sched_session_fail(s, "rank %d is in MPI_Init: nothing was before", rank);
    struct sched_held_view view = sched_hold_view(s->now->s.world, rank);
    *spot = (struct sched_spot){
        .rank = rank, .at = view.in_call ? view.at - 1 : view.at, .at_line = s->inferiors[rank].at_line};
    spot->dies = view.stopped;
    spot->limits = sched_alloc((size_t)s->n, sizeof *spot->limits);
    memcpy(spot->limits, s->limits, (size_t)s->n * sizeof *spot->limits);
    if (!spot->at_line || take_line(s, rank, spot))
        return true;
    sched_spot_finish(spot);
    return false;
}

void sched_spot_forget(struct sched_spot *spot, const uint32_t *words, size_t n)
{
    for (; n > 0 && words[n - 1] < spot->n_words; n--)
        spot->words[words[n - 1]] = spot->words[--spot->n_words];
    free(spot->state);
    spot->state = state_of(spot);
}

void sched_spot_finish(struct sched_spot *spot)
{
    free(spot->state);
    free(spot->words);
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
    return go_with(s, spot, ISP_HOLD_IN_INIT);
}

bool sched_spot_go_to_call_before(struct sched_session *s, const struct sched_spot *spot)
{
    struct sched_record_name before = {spot->rank, (uint32_t)spot->at};
    const struct sched_record_event *e;
    if (spot->at == 0)
        return go_with(s, spot, ISP_HOLD_IN_INIT);
    do /* a call may make several events */
        e = sched_record_find(s->record, (struct sched_record_name){spot->rank, --before.number});
    while (before.number > 0 && e && e->call.flags & ISP_F_CONTINUES);
    return go_with(s, spot, before.number);
}

enum sched_spot_end sched_spot_begin_segment(struct sched_session *s, const struct sched_spot *spot)
{
    return sched_spot_go_to_call_before(s, spot) ? sched_spot_move(s, spot, SCHED_GDB_INSTRUCTION)
                                                 : SCHED_SPOT_LOST;
}

static bool is_there(struct sched_session *s, const struct sched_spot *spot)
{
    int level;
    uint64_t pc;
    struct sched_held_view view = sched_hold_view(s->now->s.world, spot->rank);
    if (!s->inferiors[spot->rank].at_line && (spot->dies || view.stopped))
        return spot->dies == view.stopped;
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
    struct sched_motion motion = {.set = set, .move = move, .caps = sched_motion_caps(s)};
    motion.caps[spot->rank].most = spot->at;
    enum sched_motion_end end = sched_motion_make(s, &motion);
    free(motion.caps);
    free(set);
    if (end == SCHED_MOTION_FAILED)
        return SCHED_SPOT_LOST;
    if (end == SCHED_MOTION_BROKEN_OFF) {
        sched_session_fail(s, "interrupted on the way back");
        return SCHED_SPOT_PASSED;
    }
    if (is_there(s, spot))
        return SCHED_SPOT_REACHED;
    if (s->inferiors[spot->rank].at_line)
        return SCHED_SPOT_STOPPED;
    sched_session_fail(
        s, "rank %d did not come to the same place again: it depends on something else than messages",
        spot->rank);
    return SCHED_SPOT_PASSED;
}

int sched_spot_break(struct sched_session *s, const struct sched_spot *spot, const char *condition)
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
