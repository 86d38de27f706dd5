/* SPDX-License-Identifier: BSD-3-Clause */
/* All is told: the needs are worked out, and put in order, so that they can be asked for. */
#include "run.h"

#include <stdlib.h>

/* The needs, by node. */
static void sort_needs(struct cuts_run *run)
{
    run->first = cuts_new((size_t)run->n_nodes + 2, sizeof *run->first);
    run->points = cuts_new((size_t)run->n_needs, sizeof *run->points);
    int32_t *end = run->first + 1; /* of the node before, so that it ends as the beginning of the next */
    for (int32_t i = 0; i < run->n_needs; i++)
        end[run->needs[i].node + 1]++;
    for (int32_t k = 0; k < run->n_nodes; k++)
        end[k + 1] += end[k];
    for (int32_t i = 0; i < run->n_needs; i++)
        run->points[end[run->needs[i].node]++] = run->needs[i].point;
    free(run->needs);
    run->needs = NULL;
}

bool cuts_finish(struct cuts_run *run, int32_t *stuck)
{
    cuts_needs(run);
    sort_needs(run);
    size_t n = (size_t)run->n_nodes;
    run->cursor = cuts_new(n, sizeof *run->cursor);
    run->stack = cuts_new(n + 1, sizeof *run->stack);
    run->seen = cuts_new(n, sizeof *run->seen);
    run->shown_to = cuts_new(n, sizeof *run->shown_to);
    for (int rank = 0; rank < run->n_ranks; rank++)
        run->limits[rank] = run->ranks[rank].n;
    cuts_settle(run);
    for (int rank = 0; rank < run->n_ranks; rank++)
        if (run->issued[rank] < run->ranks[rank].n) {
            if (stuck)
                *stuck = run->ranks[rank].events[run->issued[rank]];
            return false;
        }
    return true;
}
