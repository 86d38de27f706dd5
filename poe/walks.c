/* SPDX-License-Identifier: BSD-3-Clause */
/* See walks.h. The path of the present walk is the search's stack; the tree is brought up to date, from the
 * leaf to the root, when the walk is over. */
#include "walks.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { NONE = UINT32_MAX };

struct poe_walk_node {
    struct poe_decision decision; /* n == 0: a leaf. taken: what its parent took to get here */
    double leaves;                /* expected below it */
    uint32_t child, next;         /* its first child; its parent's next one */
    bool closed, counted;         /* counted: in left_out */
    bool open;                    /* an alternative has no child */
};

void poe_walks_init(struct poe_walks *w, uint64_t seed)
{
    *w = (struct poe_walks){.seed = seed, .unused = NONE};
}

void poe_walks_finish(struct poe_walks *w) { free(w->nodes); }

/* ---- drawing ---- */

/* splitmix64 (Steele, Lea and Flood 2014): the same numbers on every machine. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One of 0..n-1, each as likely. */
static uint32_t draw_below(struct poe_walks *w, uint32_t n)
{
    uint64_t most = UINT64_MAX - UINT64_MAX % n, x;
    do
        x = draw(&w->random);
    while (x >= most);
    return (uint32_t)(x % n);
}

/* Each walk has a sequence of its own, so that it does not matter how many numbers those before it took. */
static void seed_walk(struct poe_walks *w)
{
    uint64_t state = w->seed;
    w->random = draw(&state) + w->number * 0xd1342543de82ef95u;
    draw(&w->random);
}

/* ---- the tree ---- */

static uint32_t add_node(struct poe_walks *w, const struct poe_decision *decision)
{
    uint32_t node = w->unused;
    if (node == NONE) {
        w->nodes = poe_grow(w->nodes, &w->room, w->n + 1, sizeof *w->nodes);
        node = w->n++;
    } else {
        w->unused = w->nodes[node].next;
    }
    w->nodes[node] = (struct poe_walk_node){.decision = *decision, .child = NONE, .next = NONE};
    return node;
}

/* No walk enters a closed subtree: only its root is needed. Those below the children are gone since these
 * were closed. */
static void drop_children(struct poe_walks *w, struct poe_walk_node *node)
{
    while (node->child != NONE) {
        uint32_t child = node->child;
        node->child = w->nodes[child].next;
        w->nodes[child].next = w->unused;
        w->unused = child;
    }
}

static void add_child(struct poe_walks *w, const struct poe_decision *parent, uint32_t child)
{
    w->nodes[child].decision.taken = parent->taken;
    w->nodes[child].next = w->nodes[parent->node].child;
    w->nodes[parent->node].child = child;
}

static uint32_t find_child(const struct poe_walks *w, uint32_t node, unsigned taken)
{
    uint32_t child = w->nodes[node].child;
    while (child != NONE && w->nodes[child].decision.taken != taken)
        child = w->nodes[child].next;
    return child;
}

/* One of the alternatives that do not lead into a closed subtree. */
static unsigned choose(struct poe_walks *w, uint32_t node)
{
    unsigned allowed = poe_decision_allowed(&w->nodes[node].decision), closed = 0;
    for (uint32_t c = w->nodes[node].child; c != NONE; c = w->nodes[c].next)
        closed += w->nodes[c].closed;
    uint32_t left = draw_below(w, allowed - closed);
    for (unsigned k = 0;; k++) {
        uint32_t child = find_child(w, node, k);
        if (child != NONE && w->nodes[child].closed)
            continue;
        if (left-- == 0)
            return k;
    }
}

static struct poe_decision *add_decision(struct poe_walks *w, struct poe_decision *stack, uint32_t depth)
{
    if (w->n == 0)
        seed_walk(w); /* the first walk of all */
    struct poe_decision *d = &stack[depth - 1];
    d->node = add_node(w, d);
    if (depth > 1)
        add_child(w, &stack[depth - 2], d->node);
    return d;
}

void poe_walks_decide(struct poe_walks *w, struct poe_decision *stack, uint32_t depth)
{
    struct poe_decision *d = add_decision(w, stack, depth);
    d->taken = choose(w, d->node);
}

void poe_walks_follow(struct poe_walks *w, struct poe_decision *stack, uint32_t depth, unsigned taken)
{
    add_decision(w, stack, depth)->taken = taken;
}

/* ---- the end of a walk ---- */

static void update(struct poe_walks *w, const struct poe_decision *d)
{
    struct poe_walk_node *node = &w->nodes[d->node];
    unsigned tried = 0, closed = 0;
    double leaves = 0;
    for (uint32_t c = node->child; c != NONE; c = w->nodes[c].next) {
        tried++;
        closed += w->nodes[c].closed;
        leaves += w->nodes[c].leaves;
    }
    bool was_open = node->open;
    node->decision.raced = d->raced;
    node->leaves = leaves * poe_decision_degree(d) / tried;
    node->closed = closed == poe_decision_allowed(d);
    node->open = tried < poe_decision_allowed(d);
    w->open = w->open + node->open - was_open;
    if (!node->counted) {
        struct poe_left_out before = w->left_out;
        poe_decision_count(d, &w->left_out);
        node->counted = before.loops != w->left_out.loops || before.mixing != w->left_out.mixing;
    }
    if (node->closed)
        drop_children(w, node);
}

void poe_walks_end(struct poe_walks *w, const struct poe_decision *stack, uint32_t depth, double leaves)
{
    uint32_t leaf = add_node(w, &(struct poe_decision){0});
    w->nodes[leaf].leaves = leaves;
    w->nodes[leaf].closed = true;
    if (depth)
        add_child(w, &stack[depth - 1], leaf);
    for (uint32_t i = depth; i-- > 0;)
        update(w, &stack[i]);
    w->number++;
}

/* ---- the next walk ---- */

uint32_t poe_walks_begin(struct poe_walks *w, struct poe_decision **stack, uint32_t *room, uint32_t depth,
                         unsigned *prefix)
{
    uint32_t n = 0, node = 0;
    bool same = true;
    *prefix = 0;
    seed_walk(w);
    while (!w->nodes[0].closed && node != NONE) {
        unsigned taken = choose(w, node);
        *stack = poe_grow(*stack, room, n + 1, sizeof **stack);
        if (same) {
            *prefix = n + 1;
            same = n < depth && (*stack)[n].taken == taken;
        }
        struct poe_decision *d = &(*stack)[n++];
        *d = w->nodes[node].decision;
        d->node = node;
        d->taken = taken;
        node = find_child(w, node, taken);
    }
    return n;
}

uint64_t poe_walks_open(const struct poe_walks *w) { return w->open; }

double poe_walks_leaves(const struct poe_walks *w) { return w->n ? w->nodes[0].leaves : 0; }
