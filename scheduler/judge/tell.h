/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of judge/ tell alike. */
#ifndef SCHED_TELL_H
#define SCHED_TELL_H

#include "findings/draft.h"
#include "world/world.h"

/* Ends the draft: two are the same if rule, `about` and the first place are. */
void sched_judge_end(struct sched_draft *draft, const char *about);

/* The ranks from `first` on that have the same text as that one, which is no longer in `texts` then. How
 * many; 0: it has none. */
size_t sched_tell_alike(const char **texts, int n, int first, int *ranks);
/* What each rank was doing, in lines of the story: those that do the same in one. */
void sched_tell_state(struct sched_draft *draft, struct sched_world *world);
/* How many there are down to main (or, in Fortran, the program): what calls that says nothing. */
size_t sched_frames_down_to_main(struct sched_world *world, const uint32_t *frames, size_t n);
/* How many of the first ones are a sanitizer's that ends the rank, or on the way to that; 0 if all are. */
size_t sched_frames_of_sanitizer(struct sched_world *world, const uint32_t *frames, size_t n);
/* It is in a library of isp's own, which the program has not asked for. */
bool sched_frame_is_own(struct sched_world *world, uint32_t frame);
/* Without isp's own; those inside of MPI are one line, except with -vv. Caller frees. */
char *sched_tell_frames(struct sched_world *world, const uint32_t *frames, size_t n);
/* Its name; not to be freed. */
const char *sched_last_call(const struct sched_rank_view *rank);
/* The first of this type that was told, or NULL. */
const struct sched_told *sched_told_find(const struct sched_world *world, uint8_t type);

#endif
