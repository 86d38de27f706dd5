/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding while it is put together, and what the files of judge/ tell alike. */
#ifndef SCHED_DRAFT_H
#define SCHED_DRAFT_H

#include "world/world.h"

struct sched_draft {
    enum isp_rule rule;
    char *message, *story;
    int *ranks;
    size_t n_ranks;
    struct sched_site_ref *sites;
    size_t n_sites;
    uint64_t count;
};

void sched_draft_rank(struct sched_draft *draft, int rank);
void sched_draft_site(struct sched_draft *draft, int rank, uint16_t fn, uint32_t site);
/* Adds the finding and frees what the draft holds. Two are the same if rule, `about` and the first site are. */
void sched_draft_end(struct sched_world *world, struct sched_draft *draft, const char *about);

/* What each rank was doing. Caller frees, as all below. */
char *sched_tell_state(struct sched_world *world);
/* How many there are down to main (or, in Fortran, the program): what calls that says nothing. */
size_t sched_frames_down_to_main(struct sched_world *world, const uint32_t *frames, size_t n);
char *sched_tell_frames(struct sched_world *world, const uint32_t *frames, size_t n);
/* Its name; not to be freed. */
const char *sched_last_call(const struct sched_rank_view *rank);
/* The first of this type that was told, or NULL. */
const struct sched_told *sched_told_find(const struct sched_world *world, uint8_t type);

#endif
