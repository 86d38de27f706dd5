/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The earliest and the latest cut, and what happens before what. The earliest one is what the event needs,
 * and what that needs, back to where the ranks began: the least fixpoint of the needs, and so the least of
 * all cuts in which the event is there. The latest one is the state in which this rank alone has a limit.
 */
#include "run.h"

#include <string.h>

struct search {
    struct cuts_run *run;
    int32_t *wanted; /* by rank: so many must be issued; run->issued: of so many it was seen what they need */
    int32_t n_queue, n_stack;
    bool never;
};

/* The rank must have issued so many. */
static void want(struct search *s, int rank, int32_t n)
{
    if (n <= s->wanted[rank])
        return;
    bool idle = s->run->issued[rank] >= s->wanted[rank];
    s->wanted[rank] = n;
    if (idle)
        s->run->queue[s->n_queue++] = rank;
}

static void push(struct search *s, int32_t node)
{
    if (node == CUTS_NONE || s->run->seen[node] == s->run->seen_now)
        return;
    s->never |= node == CUTS_NEVER;
    s->run->seen[node] = s->run->seen_now;
    s->run->stack[s->n_stack++] = node;
}

static void see(struct search *s, int32_t node)
{
    struct cuts_run *run = s->run;
    push(s, node);
    while (s->n_stack > 0) {
        int32_t top = run->stack[--s->n_stack];
        for (int32_t i = run->first[top]; i < run->first[top + 1]; i++) {
            cuts_point point = run->points[i];
            if (point < 0)
                push(s, ~point);
            else
                want(s, run->events[point].call.rank, run->events[point].index + 1);
        }
    }
}

/* What must be issued so that the rank has done its first n events. In run->limits. */
static bool close_over(struct cuts_run *run, int rank, int32_t n)
{
    struct search s = {.run = run, .wanted = run->limits};
    if (++run->seen_now == 0) {
        memset(run->seen, 0, (size_t)run->n_nodes * sizeof *run->seen);
        run->seen_now = 1;
    }
    for (int i = 0; i < run->n_ranks; i++)
        run->limits[i] = run->issued[i] = 0;
    want(&s, rank, n);
    if (n)
        see(&s, cuts_at_rank(run, rank, n - 1)->node);
    while (s.n_queue > 0 && !s.never) {
        int now = run->queue[--s.n_queue];
        while (run->issued[now] < s.wanted[now]) {
            int32_t last = run->issued[now]++ - 1; /* to issue this one, the one before it must be done */
            if (last >= 0)
                see(&s, cuts_at_rank(run, now, last)->node);
        }
    }
    return !s.never;
}

static bool give(struct cuts_run *run, int rank, int32_t n, int32_t *limits)
{
    if (!close_over(run, rank, n))
        return false;
    for (int i = 0; i < run->n_ranks; i++)
        limits[i] = cuts_rounded(run, i, run->limits[i]);
    return true;
}

static bool is_place(const struct cuts_run *run, int rank, int32_t index)
{
    return rank >= 0 && rank < run->n_ranks && index >= 0 && index <= run->ranks[rank].n;
}

bool cuts_earliest(struct cuts_run *run, int rank, int32_t index, int32_t *limits)
{
    return is_place(run, rank, index) && give(run, rank, cuts_call_begin(run, rank, index), limits);
}

bool cuts_earliest_after(struct cuts_run *run, int rank, int32_t index, int32_t *limits)
{
    return is_place(run, rank, index + 1) && index >= 0 &&
           give(run, rank, cuts_call_end(run, rank, index), limits);
}

bool cuts_latest(struct cuts_run *run, int rank, int32_t index, int32_t *limits)
{
    if (!is_place(run, rank, index))
        return false;
    int32_t begin = cuts_call_begin(run, rank, index);
    for (int i = 0; i < run->n_ranks; i++)
        run->limits[i] = i == rank ? begin : run->ranks[i].n;
    cuts_settle(run);
    bool there = run->issued[rank] == begin;
    if (there && begin)
        there = cuts_missing(run, cuts_at_rank(run, rank, begin - 1)->node) == CUTS_NONE;
    for (int i = 0; there && i < run->n_ranks; i++)
        limits[i] = cuts_rounded(run, i, run->issued[i]);
    return there;
}

bool cuts_before(struct cuts_run *run, int32_t a, int32_t b)
{
    const struct cuts_event *before = &run->events[a], *after = &run->events[b];
    int32_t end = cuts_call_end(run, after->call.rank, after->index);
    return close_over(run, after->call.rank, end) &&
           before->index < cuts_rounded(run, before->call.rank, run->limits[before->call.rank]);
}
