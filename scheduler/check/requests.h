/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking operations that nothing completes. */
#ifndef SCHED_CHECK_REQUESTS_H
#define SCHED_CHECK_REQUESTS_H

#include "check.h"
#include "groups.h"

void sched_check_missing_wait(struct sched_run *run, const struct sched_groups *operations);

#endif
