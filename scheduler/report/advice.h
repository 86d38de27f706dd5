/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user can do about an exploration that was cut short. */
#ifndef SCHED_REPORT_ADVICE_H
#define SCHED_REPORT_ADVICE_H

#include "explore/result.h"

/* One line, to be freed, or NULL. */
char *sched_advice(const struct sched_result *result);

#endif
