/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verdict takes for granted, in this program: isp does not see it, and does not call that
 * incomplete. */
#ifndef SCHED_REPORT_ASSUMPTIONS_H
#define SCHED_REPORT_ASSUMPTIONS_H

#include <stddef.h>

#include "explore/result.h"

/* The k-th one, from 0, or NULL. None of what is no verdict on the program: a replay, an unsupported call. */
const char *sched_assumption(const struct sched_result *result, size_t k);

#endif
