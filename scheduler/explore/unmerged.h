/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What keeps states apart (-v): where all is as it was before but for the programs' own states, a rank says
 * which bytes of its memory differ from what they were then, and each variable is counted. Only some of the
 * states are kept for that, and some of those that come up compared with them.
 */
#ifndef SCHED_UNMERGED_H
#define SCHED_UNMERGED_H

#include <jansson.h>

#include "poe/states.h"
#include "world/world.h"

struct sched_unmerged;

/* A line for each variable: in how many pairs of states it differed, and in how many of them nothing else. */
struct sched_apart {
    char *what;   /* "tries (poll.c:31)" */
    int rank;     /* whose; -1: of several */
    char *values; /* "3, 4", or empty */
    char *option; /* what --ignore calls it, or empty */
    char *hint;   /* or empty */
    uint64_t count, alone;
};

struct sched_aparts {
    struct sched_apart *all;
    size_t n;
    uint64_t compared; /* pairs of states */
};

struct sched_unmerged *sched_unmerged_create(struct sched_aparts *result);
void sched_unmerged_destroy(struct sched_unmerged *unmerged);
/* All ranks of the world have told their states, and these are not known together. */
void sched_unmerged_look(struct sched_unmerged *unmerged, struct sched_world *world);

void sched_aparts_finish(struct sched_aparts *aparts);
/* Adds the others. */
void sched_aparts_merge(struct sched_aparts *aparts, const struct sched_aparts *more);
/* First those that differ alone, then the most frequent ones. */
void sched_aparts_sort(struct sched_aparts *aparts);
json_t *sched_aparts_write(const struct sched_aparts *aparts);
bool sched_aparts_read(struct sched_aparts *aparts, const json_t *json);

#endif
