/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state at a cut: each rank goes as far as its limit and its needs allow. Who needs an event that is not
 * issued waits for just that one; when it is issued, those that wait for it go on. So each need is looked at
 * once.
 */
#include "run.h"

#include <string.h>

static bool is_issued(const struct cuts_run *run, int32_t event)
{
    const struct cuts_event *e = &run->events[event];
    return e->index < run->issued[e->call.rank];
}

static bool is_known_to_hold(const struct cuts_run *run, int32_t node)
{
    return node != CUTS_NEVER && run->cursor[node] == run->first[node + 1] - run->first[node];
}

void cuts_missing_begin(struct cuts_run *run)
{
    memset(run->cursor, 0, (size_t)run->n_nodes * sizeof *run->cursor);
}

int32_t cuts_missing(struct cuts_run *run, int32_t node)
{
    int32_t depth = 0;
    if (node != CUTS_NONE)
        run->stack[depth++] = node;
    while (depth > 0) {
        int32_t top = run->stack[depth - 1];
        if (top == CUTS_NEVER || depth > run->n_nodes) /* or it needs itself: no run is so */
            return CUTS_NO_EVENT;
        if (is_known_to_hold(run, top)) {
            depth--;
            continue;
        }
        cuts_point point = run->points[run->first[top] + run->cursor[top]];
        if (point >= 0 && !is_issued(run, point))
            return point;
        if (point < 0 && !is_known_to_hold(run, ~point))
            run->stack[depth++] = ~point;
        else
            run->cursor[top]++;
    }
    return CUTS_NONE;
}

int32_t cuts_rounded(const struct cuts_run *run, int rank, int32_t limit)
{
    if (limit <= 0 || limit >= run->ranks[rank].n)
        return limit <= 0 ? 0 : run->ranks[rank].n;
    return cuts_call_begin(run, rank, limit) == limit ? limit : cuts_call_end(run, rank, limit);
}

int32_t cuts_node_of_last(const struct cuts_run *run, int rank)
{
    return run->issued[rank] ? cuts_at_rank(run, rank, run->issued[rank] - 1)->node : CUTS_NONE;
}

/* Runs the rank on to its limit, or into what it waits for. */
static int32_t run_on(struct cuts_run *run, int rank)
{
    while (run->issued[rank] < run->limits[rank]) {
        int32_t missing = cuts_missing(run, cuts_node_of_last(run, rank));
        if (missing != CUTS_NONE)
            return missing;
        run->issued[rank]++;
    }
    return CUTS_NONE;
}

/* Puts those that wait for what the rank has issued into the queue. */
static int32_t wake(struct cuts_run *run, int rank, int32_t n)
{
    int32_t *at = &run->waiters[rank];
    while (*at != CUTS_NONE) {
        int32_t waiter = *at;
        if (is_issued(run, run->waits_for[waiter])) {
            *at = run->waits_next[waiter];
            run->queue[n++] = waiter;
        } else {
            at = &run->waits_next[waiter];
        }
    }
    return n;
}

void cuts_settle(struct cuts_run *run)
{
    int32_t n = 0;
    cuts_missing_begin(run);
    for (int rank = run->n_ranks - 1; rank >= 0; rank--) {
        run->issued[rank] = 0;
        run->waiters[rank] = CUTS_NONE;
        run->queue[n++] = rank;
    }
    while (n > 0) {
        int rank = run->queue[--n];
        int32_t missing = run_on(run, rank);
        if (missing >= 0) {
            int other = run->events[missing].call.rank;
            run->waits_for[rank] = missing;
            run->waits_next[rank] = run->waiters[other];
            run->waiters[other] = rank;
        }
        n = wake(run, rank, n);
    }
}

bool cuts_state(struct cuts_run *run, const int32_t *limits, struct cuts_at *at)
{
    bool consistent = true;
    for (int rank = 0; rank < run->n_ranks; rank++)
        run->limits[rank] = cuts_rounded(run, rank, limits[rank]);
    cuts_settle(run);
    for (int rank = 0; rank < run->n_ranks; rank++) {
        int32_t issued = run->issued[rank], done = issued;
        bool all = cuts_missing(run, cuts_node_of_last(run, rank)) == CUTS_NONE;
        bool ends = cuts_rounded(run, rank, issued) == issued;
        if (issued && !(all && ends))
            done = cuts_call_begin(run, rank, issued - 1);
        at[rank] = (struct cuts_at){issued, done};
        consistent &= issued == run->limits[rank] && limits[rank] >= 0 && limits[rank] <= run->ranks[rank].n;
    }
    return consistent;
}

void cuts_min(const struct cuts_run *run, int32_t *a, const int32_t *b)
{
    for (int rank = 0; rank < run->n_ranks; rank++)
        a[rank] = b[rank] < a[rank] ? b[rank] : a[rank];
}

void cuts_max(const struct cuts_run *run, int32_t *a, const int32_t *b)
{
    for (int rank = 0; rank < run->n_ranks; rank++)
        a[rank] = b[rank] > a[rank] ? b[rank] : a[rank];
}
