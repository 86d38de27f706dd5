/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks tell of their own accord: call sites, findings that only they can make, and that they are
 * about to die. It is kept in world->told for the judge.
 */
#ifndef SCHED_TOLD_H
#define SCHED_TOLD_H

#include "inside.h"

/* Takes a SITE, TYPE, ACCESS, FINDING, OVERWRITTEN, STARTED, UNSTARTED, NOBODY, CRASH, ABORT or EXIT message;
 * in->ok is false after any other, or a broken one. */
void sched_told_take(struct sched_world *world, int rank, uint8_t type, struct isp_reader *in);
/* One more entry, at the rank's last call; valid until the next. */
struct sched_told *sched_told_add(struct sched_world *world, int rank, uint8_t type);
/* The global number of a rank's site; 0 if it is unknown. */
uint32_t sched_told_site(const struct sched_rank *rank, uint32_t site);
/* The same for the type of a record; a basic type stays what it is. */
uint32_t sched_told_type(const struct sched_rank *rank, uint32_t type);
/* The rank will do nothing more. */
void sched_told_stop(struct sched_world *world, int rank);
/* What an entry holds: a copy, and its end. */
struct sched_told sched_told_copy(const struct sched_told *told);
void sched_told_drop(struct sched_told *told);
/* How many kinds of findings were told (of those that sched_told_take tells apart). */
unsigned sched_told_count_alike(const struct sched_world *world);
/* Forgets what was told after the first n_told messages, and n_alike kinds. */
void sched_told_forget(struct sched_world *world, size_t n_told, unsigned n_alike);
/* Frees all that was told. */
void sched_told_finish(struct sched_world *world);

#endif
