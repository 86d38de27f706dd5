/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of a trace the page contains: interleavings with findings first, then the others in their order, until
 * the nodes that they need are too many; and of the nodes' calls as many as the budget has. Where it ends
 * within a node, the node keeps its last calls: ends tell more.
 */
#ifndef SCHED_REPORT_PAGE_SELECTION_H
#define SCHED_REPORT_PAGE_SELECTION_H

#include <jansson.h>

#include <uthash.h>

#include "trace/query.h"

struct sched_page_budget {
    int64_t calls, nodes;
};

struct sched_page_node {
    int64_t id;
    /* ids; of its calls those that the page has */
    int64_t first_call, end_call, first_match, end_match, first_answer, end_answer;
    int32_t parent, first_child, next_sibling; /* in `nodes`, or -1 */
    int32_t first_interleaving;                /* that ends here, in `interleavings`, or -1 */
    int64_t parent_id, taken, depth;
    bool buffered, has_calls;
    UT_hash_handle hh;
};

struct sched_page_interleaving {
    int64_t id, node_id;
    int32_t node;
    int32_t next; /* that ends at the same node, or -1 */
    bool has_finding;
    UT_hash_handle hh;
};

struct sched_page_selection {
    struct sched_page_node **nodes;                 /* in the order of their ids: parents first */
    struct sched_page_interleaving **interleavings; /* in the order of their ids */
    int32_t n_nodes, n_interleavings;
    struct sched_page_node *node_by_id;
    struct sched_page_interleaving *interleaving_by_id;
    int64_t left_interleavings, left_nodes, left_calls; /* what the page does not have; calls: of the nodes
                                                           that it has */
};

void sched_page_select(struct sched_page_selection *selection, struct sched_asked *asked,
                       const json_t *result, const struct sched_page_budget *budget);
/* In `nodes`, or -1. */
int32_t sched_page_find_node(const struct sched_page_selection *selection, int64_t id);
void sched_page_selection_finish(struct sched_page_selection *selection);

#endif
