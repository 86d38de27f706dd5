/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings about a message: its send and its receive. */
#ifndef SCHED_CHECK_PAIR_H
#define SCHED_CHECK_PAIR_H

#include "check.h"

/* The finding stands at `first`; `second` is the other of the two. The message is still to be said. */
struct sched_draft *sched_pair_draft(struct sched_run *run, enum isp_rule rule,
                                     const struct poe_transition *first, const struct poe_transition *second);

#endif
