/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks print, told apart: Hydra puts a mark with the rank before each piece of a line. What has no mark
 * is the launcher's own.
 */
#ifndef SCHED_APART_H
#define SCHED_APART_H

#include <stddef.h>

#include "launch.h"

struct sched_apart;

/* mark: what comes before the number of the rank and a colon; "" where the launcher puts none: then all is
 * of no known rank (-1). at: how much each rank has printed so far (borrowed, kept up to date). */
struct sched_apart *sched_apart_create(const struct sched_printed *printed, const char *mark, int ranks,
                                       bool error, uint64_t *at);
void sched_apart_destroy(struct sched_apart *apart);
/* Some bytes of the stream. They are without marks afterwards; returns how many are left in `bytes`, which
 * has room for as many as came, and for what was held back before: SCHED_APART_HELD. */
enum { SCHED_APART_HELD = 64 };
size_t sched_apart_take(struct sched_apart *apart, char *bytes, size_t n);
/* What was held back, since it could have become a mark. */
void sched_apart_flush(struct sched_apart *apart);

#endif
