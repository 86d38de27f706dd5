/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intervals [low, high), found by what they have in common with another one: a treap by low whose nodes know
 * the highest high below them (Cormen et al., Introduction to Algorithms, "interval trees"). Insertion and
 * removal take O(log n) on average, a search O(log n) for each interval that it sees. Nodes belong to the
 * caller, and sit inside of what they stand for.
 */
#ifndef PROF_INTERVAL_TREE_H
#define PROF_INTERVAL_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_interval {
    uintptr_t low, high; /* the caller's, before it is inserted */
    /* private */
    struct prof_interval *left, *right;
    uintptr_t highest;
    uint32_t priority;
};

void prof_interval_insert(struct prof_interval **root, struct prof_interval *node);
void prof_interval_remove(struct prof_interval **root, struct prof_interval *node);
/* Sees those that share something with [low, high), in the order of low. False: `see` said false, which ends
 * it. */
typedef bool prof_interval_see(void *context, struct prof_interval *node);
bool prof_interval_each(struct prof_interval *root, uintptr_t low, uintptr_t high, prof_interval_see *see,
                        void *context);

#endif
