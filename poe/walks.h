/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random walks through the choice points, and what they have seen: a tree with a node for each decision that
 * some walk has met, and a leaf at the end of each walk. A subtree is closed when all its runs are made; no
 * walk enters it any more, so every walk is a new run. Private to poe/search.c.
 *
 * A node knows how many interleavings its subtree is expected to have (poe_search_estimate). Memory: a node
 * per decision of each walk beyond those that it shares with others, but for closed subtrees.
 */
#ifndef POE_WALKS_H
#define POE_WALKS_H

#include <stdbool.h>
#include <stdint.h>

#include "factors.h"
#include "poe/search.h"

/* A decision of the present run; its alternatives are 0..n-1 and, if it is raced, n: *later*. */
struct poe_decision {
    uint64_t signature;
    double leaves;     /* depth first: below the alternatives that are done */
    unsigned n, taken; /* taken: its position in the order in which they are tried (poe_decision_at) */
    unsigned shown;    /* the alternative that is tried first */
    unsigned first;    /* not 0: those before it belong to another part of the search, and so does *later* */
    unsigned end;      /* not 0: so do those from it on, and *later* */
    uint32_t distance; /* see search.c, bounded mixing */
    uint32_t node;     /* random walks */
    bool raced, in_loop;
    bool told;    /* raced, and whoever has the rest of the search knows it */
    bool too_far; /* bounded mixing allows its first alternative only */
    /* factors.h */
    uint16_t class;   /* plus one */
    unsigned not_yet; /* the alternative by which a poll says so, plus one */
    struct poe_tally done;
};

enum { POE_NO_DISTANCE = UINT32_MAX }; /* all decisions so far are first alternatives */

/* How many choice points with several alternatives are between the first decision of the run that is not a
 * first alternative and the one that follows `last`. */
static inline uint32_t poe_decision_distance(const struct poe_decision *last)
{
    if (last->distance != POE_NO_DISTANCE)
        return last->distance + (last->n > 1 && !last->in_loop);
    return last->taken ? 0 : POE_NO_DISTANCE;
}

static inline unsigned poe_decision_degree(const struct poe_decision *d) { return d->n + d->raced; }

/* What it takes: the one that was shown comes first, then the others in their order. */
static inline unsigned poe_decision_at(const struct poe_decision *d)
{
    return d->taken == 0 ? d->shown : d->taken <= d->shown ? d->taken - 1 : d->taken;
}

/* Its alternatives that the bounds leave. */
static inline unsigned poe_decision_allowed(const struct poe_decision *d)
{
    return d->in_loop || d->too_far ? 1 : poe_decision_degree(d);
}

/* Adds it if the bounds leave some of its alternatives out. */
void poe_decision_count(const struct poe_decision *decision, struct poe_left_out *left);

struct poe_walk_node;

struct poe_walks {
    struct poe_walk_node *nodes;   /* the first is the root, if there is one */
    uint32_t n, room, unused;      /* unused: the first of those that were dropped */
    uint64_t seed, number, random; /* number: of walks */
    uint64_t open;                 /* nodes with an alternative that no walk has taken */
    struct poe_left_out left_out;
};

void poe_walks_init(struct poe_walks *walks, uint64_t seed);
void poe_walks_finish(struct poe_walks *walks);

/* The last decision of the stack is new: adds its node, and draws what it takes. */
void poe_walks_decide(struct poe_walks *walks, struct poe_decision *stack, uint32_t depth);
/* The same, but it takes this one. */
void poe_walks_follow(struct poe_walks *walks, struct poe_decision *stack, uint32_t depth, unsigned taken);
/* The walk that made these decisions is over; leaves: 1, or 0 if it is no interleaving. */
void poe_walks_end(struct poe_walks *walks, const struct poe_decision *stack, uint32_t depth, double leaves);
/* Draws the next walk's decisions, up to where it leaves the tree: their number, 0 if all is explored.
 * `depth` entries of the stack are those of the walk before; *prefix: up to the first that differs. */
uint32_t poe_walks_begin(struct poe_walks *walks, struct poe_decision **stack, uint32_t *room, uint32_t depth,
                         unsigned *prefix);

uint64_t poe_walks_open(const struct poe_walks *walks);
double poe_walks_leaves(const struct poe_walks *walks);

#endif
