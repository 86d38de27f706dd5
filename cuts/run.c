/* SPDX-License-Identifier: BSD-3-Clause */
/* A run is filled, and asked for its events: see cuts.h. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

struct cuts_run *cuts_create(int ranks, bool buffered)
{
    struct cuts_run *run = cuts_new(1, sizeof *run);
    run->n_ranks = ranks;
    run->buffered = buffered;
    run->ranks = cuts_new((size_t)ranks, sizeof *run->ranks);
    int32_t **by_rank[] = {&run->limits,  &run->issued, &run->waits_for, &run->waits_next,
                           &run->waiters, &run->queue,  &run->ends};
    for (size_t i = 0; i < sizeof by_rank / sizeof *by_rank; i++)
        *by_rank[i] = cuts_new((size_t)ranks, sizeof(int32_t));
    return run;
}

void cuts_destroy(struct cuts_run *run)
{
    if (!run)
        return;
    for (int rank = 0; rank < run->n_ranks; rank++)
        free(run->ranks[rank].events);
    void *all[] = {run->ranks,  run->events,   run->matches, run->collections, run->needs,      run->after,
                   run->lists,  run->points,   run->first,   run->cursor,      run->stack,      run->limits,
                   run->issued, run->queue,    run->waiters, run->waits_for,   run->waits_next, run->seen,
                   run->moves,  run->shown_to, run->ends};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(run);
}

/* ---- what is told ---- */

static int32_t keep(struct cuts_run *run, const void *list, uint32_t n)
{
    int32_t first = run->n_lists;
    run->lists = cuts_grow(run->lists, &run->lists_room, first + (int32_t)n, sizeof *run->lists);
    if (n)
        memcpy(&run->lists[first], list, n * sizeof *run->lists);
    run->n_lists += (int32_t)n;
    return first;
}

static struct cuts_event *named(struct cuts_run *run, const struct cuts_call *call, uint32_t i)
{
    return i < call->n_named && call->named[i] >= 0 ? &run->events[call->named[i]] : NULL;
}

int32_t cuts_add(struct cuts_run *run, const struct cuts_call *call)
{
    struct cuts_rank_events *rank = &run->ranks[call->rank];
    struct cuts_event *first = named(run, call, 0);
    int32_t before = rank->n ? rank->events[rank->n - 1] : CUTS_NONE;
    if (call->op == ISP_OP_READY && first)
        first->ready_after = before;
    if (call->op == ISP_OP_READY || call->op == ISP_OP_ADMIT)
        return CUTS_NONE;
    int32_t number = run->n_events++;
    if (call->op == ISP_OP_CANCEL && first && first->cancel == CUTS_NONE)
        first->cancel = number;
    run->events = cuts_grow(run->events, &run->events_room, run->n_events, sizeof *run->events);
    rank->events = cuts_grow(rank->events, &rank->room, rank->n + 1, sizeof *rank->events);
    struct cuts_event *e = &run->events[number];
    *e = (struct cuts_event){.call = *call,
                             .index = rank->n,
                             .call_begin = rank->n,
                             .node = CUTS_NONE,
                             .ready_after = CUTS_NONE,
                             .match = CUTS_NONE,
                             .cancel = CUTS_NONE,
                             .n_done = -1,
                             .collection = CUTS_NONE,
                             .next_in_channel = CUTS_NONE};
    if (call->same_call && before >= 0)
        e->call_begin = run->events[before].call_begin;
    e->first_named = keep(run, call->named, call->n_named);
    e->first_source = keep(run, call->sources, call->n_sources);
    rank->events[rank->n++] = number;
    return number;
}

void cuts_match(struct cuts_run *run, int32_t send, int32_t receive)
{
    run->matches = cuts_grow(run->matches, &run->matches_room, run->n_matches + 1, sizeof *run->matches);
    int32_t *at = &run->events[send].match;
    while (*at != CUTS_NONE)
        at = &run->matches[*at].next;
    *at = run->n_matches;
    run->events[receive].match = run->n_matches;
    run->matches[run->n_matches++] = (struct cuts_match){send, receive, CUTS_NONE, CUTS_NONE};
}

void cuts_collect(struct cuts_run *run, const int32_t *members, uint32_t n)
{
    int32_t number = run->n_collections++;
    run->collections =
        cuts_grow(run->collections, &run->collections_room, run->n_collections, sizeof *run->collections);
    run->collections[number] =
        (struct cuts_collection){keep(run, members, n), (int32_t)n, CUTS_NONE, CUTS_NONE, 0};
    for (uint32_t i = 0; i < n; i++)
        if (members[i] >= 0)
            run->events[members[i]].collection = number;
}

void cuts_completed(struct cuts_run *run, int32_t fence, const int32_t *operations, uint32_t n)
{
    run->events[fence].first_done = keep(run, operations, n);
    run->events[fence].n_done = (int32_t)n;
}

void cuts_cancelled(struct cuts_run *run, int32_t operation) { run->events[operation].cancelled = true; }

void cuts_after(struct cuts_run *run, int32_t event, int32_t earlier)
{
    run->after = cuts_grow(run->after, &run->after_room, run->n_after + 1, sizeof *run->after);
    run->after[run->n_after++] = (struct cuts_need){event, earlier};
}

/* ---- nodes ---- */

int32_t cuts_node_add(struct cuts_run *run) { return run->n_nodes++; }

void cuts_node_need(struct cuts_run *run, int32_t node, cuts_point point)
{
    run->needs = cuts_grow(run->needs, &run->needs_room, run->n_needs + 1, sizeof *run->needs);
    run->needs[run->n_needs++] = (struct cuts_need){node, point};
}

/* ---- events ---- */

int cuts_ranks(const struct cuts_run *run) { return run->n_ranks; }

int32_t cuts_count(const struct cuts_run *run, int rank) { return run->ranks[rank].n; }

int32_t cuts_event(const struct cuts_run *run, int rank, int32_t index)
{
    bool there = rank >= 0 && rank < run->n_ranks && index >= 0 && index < run->ranks[rank].n;
    return there ? run->ranks[rank].events[index] : CUTS_NONE;
}

int cuts_rank_of(const struct cuts_run *run, int32_t event) { return run->events[event].call.rank; }

int32_t cuts_index_of(const struct cuts_run *run, int32_t event) { return run->events[event].index; }

int32_t cuts_call_begin(const struct cuts_run *run, int rank, int32_t index)
{
    return index < run->ranks[rank].n ? cuts_at_rank(run, rank, index)->call_begin : run->ranks[rank].n;
}

int32_t cuts_call_end(const struct cuts_run *run, int rank, int32_t index)
{
    int32_t begin = cuts_call_begin(run, rank, index), end = index + 1;
    while (end < run->ranks[rank].n && cuts_at_rank(run, rank, end)->call_begin == begin)
        end++;
    return end;
}
