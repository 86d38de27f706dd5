/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recorded run is inside. Private to cuts/.
 *
 * A *point* is something that holds from some time on: that an event is issued (the event's number), or a
 * node (the complement of its number). A node holds when all points that it lists do: what an event needs to
 * be done, that a message is matched. So each point comes down to a set of events that must be issued, and
 * points have no cycles, since the run came to them one after the other.
 */
#ifndef CUTS_RUN_H
#define CUTS_RUN_H

#include "cuts.h"
#include "memory.h"

#define CUTS_NONE (-1)
enum { CUTS_NEVER = 0 }; /* the node that does not hold */

typedef int32_t cuts_point;

static inline cuts_point cuts_node_point(int32_t node) { return ~node; }

struct cuts_event {
    struct cuts_call call;             /* named, sources: not used; see below */
    int32_t index, call_begin;         /* in its rank's order; of the first event of its call */
    int32_t first_named, first_source; /* in run->lists */
    int32_t node;                      /* what it needs to be done, or CUTS_NONE: nothing */
    int32_t ready_after;               /* HELD: the event before its READY, or CUTS_NONE */
    int32_t match;                     /* RECV, PROBE: its match; SEND: the first one that names it ... */
    int32_t cancel;                    /* the first CANCEL that names it */
    int32_t first_done, n_done;        /* in run->lists: what it completed; n_done < 0: not told */
    int32_t collection;                /* COLLECTIVE: which one, or CUTS_NONE */
    int32_t next_in_channel;           /* SEND */
    bool cancelled;
};

struct cuts_match {
    int32_t send, receive, next; /* ... and the next one of this send */
    int32_t node;
};

struct cuts_collection {
    int32_t first, n; /* in run->lists */
    int32_t all, before,
        n_before; /* nodes: all have called; PREFIX: `before`, for the first n_before of them */
};

struct cuts_need {
    int32_t node;
    cuts_point point;
};

struct cuts_rank_events {
    int32_t *events;
    int32_t n, room;
};

struct cuts_run {
    int n_ranks;
    bool buffered;
    struct cuts_rank_events *ranks;
    struct cuts_event *events;
    struct cuts_match *matches;
    struct cuts_collection *collections;
    struct cuts_need *needs,
        *after; /* while it is filled; after: an event, and the event that must be done */
    int32_t *lists;
    int32_t n_events, n_matches, n_collections, n_needs, n_after, n_lists, n_nodes;
    int32_t events_room, matches_room, collections_room, needs_room, after_room, lists_room;

    /* from cuts_finish on: the points of node k are points[first[k]] .. points[first[k + 1] - 1] */
    cuts_point *points;
    int32_t *first;

    /* what questions work with */
    int32_t *cursor; /* by node: points of it that are known to hold, or that it was seen */
    int32_t *stack;  /* of nodes */
    int32_t *limits, *issued, *waits_for, *waits_next, *waiters, *queue, *ends; /* by rank */
    uint32_t *seen, seen_now;                                                   /* by node */
    int32_t *shown_to;                                                          /* by node: plan.c */
    struct cuts_move *moves;
    int32_t n_moves, moves_room;
};

static inline struct cuts_event *cuts_at_rank(const struct cuts_run *run, int rank, int32_t index)
{
    return &run->events[run->ranks[rank].events[index]];
}

/* needs.c: all nodes of the run, from what was told. */
void cuts_needs(struct cuts_run *run);

/* A new node; a further point of it. */
int32_t cuts_node_add(struct cuts_run *run);
void cuts_node_need(struct cuts_run *run, int32_t node, cuts_point point);

/* state.c: the limits in run->limits, each at the end of a call; run->issued is what they allow. */
void cuts_settle(struct cuts_run *run);
/* An event that is not issued and that the node needs, CUTS_NONE: it holds; CUTS_NO_EVENT: it never does.
 * Since cuts_missing_begin, which cuts_settle calls, run->issued has only grown. */
enum { CUTS_NO_EVENT = -2 };
int32_t cuts_missing(struct cuts_run *run, int32_t node);
void cuts_missing_begin(struct cuts_run *run);
/* What the rank's last event that is issued needs to be done. */
int32_t cuts_node_of_last(const struct cuts_run *run, int rank);
int32_t cuts_rounded(const struct cuts_run *run, int rank, int32_t limit);

#endif
