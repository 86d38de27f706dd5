/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of a deadlock: when it happens; what would have to change; who waits for whom. */
#ifndef SCHED_CHECK_HEADLINE_H
#define SCHED_CHECK_HEADLINE_H

#include "picture.h"

void sched_headline(struct sched_draft *draft, const struct sched_picture *picture, enum isp_rule rule);
/* The collective whose synchronization holds the rank; NULL: a send does. */
const struct isp_call *sched_blocking_collective(const struct sched_seat *seat);

#endif
