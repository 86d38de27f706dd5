/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The moves from one cut to another one (Hong and Kim, "Causal replay for cyclic debugging", 2001): the rank
 * that is wanted runs; where it needs an event that is not issued, the rank of that one runs up to it first,
 * and so on. A rank is asked for no further event while it waits for another, since needs have no cycles: so
 * no more than all ranks wait. Deviation: a move is given only when a rank of another move needs it, or at
 * the end: else a rank that is asked twice would move twice.
 */
#include "run.h"

#include <string.h>

struct planner {
    struct cuts_run *run;
    const int32_t *to;
    int32_t *given; /* run->waits_for: the limits that the moves so far have led to */
    int32_t *done;  /* run->ends: whether the rank has done all that it may, in the end */
};

static void give_move(struct planner *p, int rank, int32_t limit)
{
    struct cuts_run *run = p->run;
    limit = cuts_rounded(run, rank, limit);
    if (limit <= p->given[rank])
        return;
    p->given[rank] = limit;
    if (run->n_moves && run->moves[run->n_moves - 1].rank == rank) {
        run->moves[run->n_moves - 1].limit = limit;
        return;
    }
    run->moves = cuts_grow(run->moves, &run->moves_room, run->n_moves + 1, sizeof *run->moves);
    run->moves[run->n_moves++] = (struct cuts_move){rank, limit};
}

enum { TO_NOBODY = 0, TO_ALL = -1 }; /* shown_to: or a rank + 1 */

/* What the node comes down to was issued; all of it that is not this rank's gets its move. */
static void show(struct planner *p, int32_t node, int rank)
{
    struct cuts_run *run = p->run;
    int32_t depth = 0;
    if (node != CUTS_NONE)
        run->stack[depth++] = node;
    while (depth > 0) {
        int32_t top = run->stack[--depth], *to = &run->shown_to[top];
        if (*to == TO_ALL || *to == rank + 1)
            continue;
        *to = *to == TO_NOBODY ? rank + 1 : TO_ALL;
        for (int32_t i = run->first[top]; i < run->first[top + 1]; i++) {
            cuts_point point = run->points[i];
            bool mine = point >= 0 && run->events[point].call.rank == rank;
            if (point < 0 && run->shown_to[~point] != TO_ALL && run->shown_to[~point] != rank + 1)
                run->stack[depth++] = ~point;
            else if (point >= 0 && !mine)
                give_move(p, run->events[point].call.rank, run->events[point].index + 1);
        }
    }
}

/* Runs the rank on until it has issued so many, and done them if it has in the end; others before it where
 * it needs them. */
static void demand(struct planner *p, int rank, int32_t n)
{
    struct cuts_run *run = p->run;
    int32_t *asked = run->limits, *who = run->queue, depth = 0;
    asked[rank] = n;
    who[depth++] = rank;
    while (depth > 0) {
        int now = who[depth - 1];
        bool issues = run->issued[now] < asked[now], waits = depth == 1 && p->done[now];
        int32_t node = cuts_node_of_last(run, now),
                missing = issues || waits ? cuts_missing(run, node) : CUTS_NONE;
        if (missing >= 0) {
            int other = run->events[missing].call.rank;
            asked[other] = run->events[missing].index + 1;
            who[depth++] = other;
            continue;
        }
        if (issues || waits)
            show(p, node, now);
        run->issued[now] += issues;
        depth -= !issues;
    }
}

/* Which way it is; then run->issued is the state that it begins with, and given what it is allowed. */
static enum cuts_way begin(struct planner *p, const int32_t *from, const int32_t *to)
{
    struct cuts_run *run = p->run;
    bool consistent = true;
    for (int rank = 0; rank < run->n_ranks; rank++) {
        run->limits[rank] = cuts_rounded(run, rank, to[rank]);
        consistent &= to[rank] >= 0 && to[rank] <= run->ranks[rank].n;
    }
    cuts_settle(run);
    for (int rank = 0; rank < run->n_ranks; rank++) {
        consistent &= run->issued[rank] == run->limits[rank];
        p->done[rank] = cuts_missing(run, cuts_node_of_last(run, rank)) == CUTS_NONE;
    }
    bool back = false;
    for (int rank = 0; rank < run->n_ranks; rank++) {
        int32_t limit = cuts_rounded(run, rank, from[rank]);
        back |= limit > run->limits[rank];
        run->limits[rank] = limit;
    }
    if (!consistent || back)
        return consistent ? CUTS_BACK : CUTS_INCONSISTENT;
    cuts_settle(run);
    return CUTS_FORWARD;
}

enum cuts_way cuts_plan(struct cuts_run *run, const int32_t *from, const int32_t *to, int focus,
                        const struct cuts_move **moves, uint32_t *n)
{
    struct planner p = {.run = run, .to = to, .given = run->waits_for, .done = run->ends};
    run->n_moves = 0;
    enum cuts_way way = begin(&p, from, to);
    memset(run->shown_to, 0, (size_t)run->n_nodes * sizeof *run->shown_to);
    for (int rank = 0; rank < run->n_ranks; rank++)
        p.given[rank] = run->limits[rank];
    for (int i = -1; way == CUTS_FORWARD && i < run->n_ranks; i++) {
        int rank = i < 0 ? focus : i;
        if (rank < 0 || rank >= run->n_ranks)
            continue;
        int32_t limit = cuts_rounded(run, rank, to[rank]);
        demand(&p, rank, limit);
        give_move(&p, rank, limit);
    }
    *moves = run->moves;
    *n = (uint32_t)run->n_moves;
    return way;
}
