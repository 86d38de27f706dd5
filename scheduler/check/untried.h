/* SPDX-License-Identifier: BSD-3-Clause */
/* Alternatives that poe's own bounds have kept out of a run (poe_first_cut), in words. */
#ifndef SCHED_CHECK_UNTRIED_H
#define SCHED_CHECK_UNTRIED_H

#include "check.h"

/* In the words about polls. */
#define SCHED_UNTRIED_POLLS "a poll fails more often before it succeeds"
/* ... of a program that counts them, or so. */
#define SCHED_UNTRIED_COUNTED SCHED_UNTRIED_POLLS ", though the program then does something else"

/* Why the exploration is not complete, and where; NULL: this run was cut nowhere. Caller frees. */
char *sched_untried(const struct sched_run *run);

#endif
