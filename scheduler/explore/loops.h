/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loop abstraction (DAMPI): a choice that lies in a loop takes its first alternative only. A loop is what the
 * program marks (include/isp.h; the rank says so in the record), or what a function named by --loop calls,
 * directly or not.
 */
#ifndef SCHED_LOOPS_H
#define SCHED_LOOPS_H

#include "run/options.h"
#include "poe/poe.h"
#include "sites/sites.h"

struct sched_loops;

struct sched_loops *sched_loops_create(const struct sched_options *options, struct sched_sites *sites);
void sched_loops_destroy(struct sched_loops *loops);

bool sched_loops_have(struct sched_loops *loops, const struct poe_choice *choice);
/* The names of --loop that a choice lay in (bits), also in other parts of the exploration. More than 64 are
 * not told. */
uint64_t sched_loops_met(const struct sched_loops *loops);
void sched_loops_add_met(struct sched_loops *loops, uint64_t met);
/* A name of --loop that no choice lay in so far; NULL if there is none. */
const char *sched_loops_unmet(const struct sched_loops *loops);

#endif
