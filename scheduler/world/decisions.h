/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decisions of one run by what they were about, not by their number: which message each wildcard took,
 * which requests each wait completed. By this another run, whose choice points come otherwise (because sends
 * are buffered in it), can be led along the same way.
 */
#ifndef SCHED_DECISIONS_H
#define SCHED_DECISIONS_H

#include <stdbool.h>

#include "poe/poe.h"
#include "run/listener.h"

struct sched_decisions;

struct sched_decisions *sched_decisions_create(void);
void sched_decisions_destroy(struct sched_decisions *decisions);

/* They listen to what is decided. *later* is not noted: what the transition takes in the end counts. */
extern const struct sched_listener sched_decisions_listener;
/* Those that were noted after the first n are forgotten. */
unsigned sched_decisions_count(const struct sched_decisions *decisions);
void sched_decisions_forget(struct sched_decisions *decisions, unsigned n);
/* The alternative that leads the same way. If it is not there yet: choice->n (*later*), or 0 unless
 * `patient`. 0 where nothing was noted. */
unsigned sched_decisions_find(const struct sched_decisions *decisions, const struct poe *poe,
                              const struct poe_choice *choice, bool patient);

#endif
