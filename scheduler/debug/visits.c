/* SPDX-License-Identifier: BSD-3-Clause */
/* See visits.h. */
#include "visits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inferior.h"
#include "world/hold.h"

enum { TRIES = 1000 };

/* Goes on from the call before until the rank stops at the target, or has come to its next event. */
static bool run(struct sched_session *s, const struct sched_spot *spot, const struct isp_visits *wanted,
                struct sched_held_view *view)
{
    if (!sched_spot_go_to_call_before(s, spot) || !sched_hold_view(s->now->s.world, spot->rank).held)
        return false;
    sched_hold_count(s->now->s.world, spot->rank, wanted);
    if (!sched_session_let(s, spot->rank, spot->at))
        return false;
    *view = sched_hold_view(s->now->s.world, spot->rank);
    return view->visited == SCHED_VISITED_STOPS || view->visited == SCHED_VISITED_ENDS;
}

/* With the spot's own, if it is at a line; *target: which one that is. */
static struct isp_visit_place *places_of(const struct sched_spot *spot, const struct sched_gdb_line *lines,
                                         size_t n, uint32_t *all, uint32_t *target)
{
    struct isp_visit_place *places = sched_alloc(n + 1, sizeof *places);
    uint32_t k = 0;
    *target = ISP_VISIT_NONE;
    for (size_t i = 0; i <= n; i++) {
        bool is_next = spot->at_line && *target == ISP_VISIT_NONE && (i == n || lines[i].address >= spot->pc);
        bool is_line = is_next && i < n && lines[i].address == spot->pc;
        if (is_next) {
            *target = k;
            places[k++] = (struct isp_visit_place){spot->pc, is_line ? (uint32_t)lines[i].line : 0,
                                                   (uint8_t)spot->here.length};
        }
        if (i < n && !is_line)
            places[k++] =
                (struct isp_visit_place){lines[i].address, (uint32_t)lines[i].line, (uint8_t)lines[i].length};
    }
    *all = k;
    return places;
}

static bool can_find(const struct sched_spot *spot) { return !spot->dies && (!spot->at_line || spot->known); }

/* Caller frees what it returns. */
static struct isp_visit_place *ask(const struct sched_spot *spot, const struct sched_gdb_line *lines,
                                   size_t n, struct sched_stack stack, struct isp_visits *wanted)
{
    *wanted = (struct isp_visits){.low = stack.low,
                                  .high = stack.high,
                                  .known = spot->known,
                                  .n_words = spot->n_words,
                                  .words = spot->words};
    memcpy(wanted->registers, spot->registers, sizeof wanted->registers);
    struct isp_visit_place *places = places_of(spot, lines, n, &wanted->n_places, &wanted->target);
    wanted->places = places;
    return places;
}

/* Words that are never as they should be depend on something else than messages: on time, say. True: there
 * were some, and others are left. */
static bool forget_unlike(struct sched_spot *spot, const struct sched_held_view *view)
{
    if (!view->n_unlike || view->n_unlike >= spot->n_words)
        return false;
    sched_spot_forget(spot, view->unlike, view->n_unlike);
    return true;
}

/* Goes on up to the spot; again without what cannot be found again. */
static bool find(struct sched_session *s, struct sched_spot *spot, const struct sched_gdb_line *lines,
                 size_t n, struct sched_stack stack, struct isp_visits *wanted,
                 struct isp_visit_place **places, struct sched_held_view *view)
{
    bool came, again;
    do {
        *places = ask(spot, lines, n, stack, wanted);
        came = run(s, spot, wanted, view);
        again = came && spot->at_line && view->visited == SCHED_VISITED_ENDS && forget_unlike(spot, view);
        if (again)
            free(*places);
    } while (again);
    return came && (view->visited == SCHED_VISITED_STOPS) == spot->at_line;
}

enum sched_visits sched_visits_before(struct sched_session *s, struct sched_spot *spot,
                                      const struct sched_gdb_line *lines, size_t n, struct sched_stack stack,
                                      struct sched_visit *visit)
{
    struct sched_held_view view = {0};
    struct isp_visits wanted;
    struct isp_visit_place *places;
    if (!can_find(spot) || n + 1 > ISP_VISIT_PLACES_MOST)
        return SCHED_VISITS_UNKNOWN;
    bool came = find(s, spot, lines, n, stack, &wanted, &places, &view);
    *visit = (struct sched_visit){.stack = stack, .number = view.visits};
    bool any = came && view.place < wanted.n_places;
    for (size_t i = 0; any && i < n; i++)
        if (lines[i].address == places[view.place].address)
            visit->place = lines[i];
    free(places);
    return any ? SCHED_VISITS_FOUND : came ? SCHED_VISITS_NONE : SCHED_VISITS_UNKNOWN;
}

/* It says that it stops in a signal handler, from which it may still have to return. */
static struct sched_gdb *await_spin(struct sched_session *s, const struct sched_spot *spot, uint64_t address)
{
    uint64_t pc;
    struct sched_gdb *g;
    for (int i = 0; i < TRIES && (g = sched_inferior_look(s, spot->rank)); i++) {
        if (sched_gdb_register(g, 0, "pc", &pc) && pc == address)
            return g;
        if (!sched_gdb_move(g, SCHED_GDB_CONTINUE, NULL))
            return NULL;
    }
    return NULL;
}

/* It spins at a place: gdb has it, and the code is as it was. */
static bool take_over(struct sched_session *s, const struct sched_spot *spot,
                      const struct sched_gdb_line *place)
{
    struct sched_gdb *g = await_spin(s, spot, place->address);
    if (!g || !sched_gdb_write(g, place->address, place->code, sizeof place->code))
        return false;
    sched_inferior_found(s, spot->rank);
    return true;
}

bool sched_visits_go(struct sched_session *s, const struct sched_spot *spot, const struct sched_visit *visit)
{
    struct sched_held_view view = {0};
    struct isp_visit_place place = {.address = visit->place.address, .length = (uint8_t)visit->place.length};
    struct isp_visits wanted = {.low = visit->stack.low,
                                .high = visit->stack.high,
                                .stop = visit->number,
                                .n_places = 1,
                                .places = &place};
    return run(s, spot, &wanted, &view) && view.visited == SCHED_VISITED_STOPS &&
           take_over(s, spot, &visit->place);
}

bool sched_visits_return(struct sched_session *s, struct sched_spot *spot)
{
    struct sched_held_view view = {0};
    struct isp_visits wanted;
    struct isp_visit_place *places;
    if (!can_find(spot) || !spot->at_line)
        return false;
    bool came = find(s, spot, NULL, 0, (struct sched_stack){0}, &wanted, &places, &view);
    free(places);
    return came && take_over(s, spot, &spot->here);
}
