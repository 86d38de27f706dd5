/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of the ISP of the University of Utah, for its viewers: docs/isp-log.md. */
#ifndef SCHED_REPORT_ISP_LOG_H
#define SCHED_REPORT_ISP_LOG_H

#include "outputs.h"

bool sched_report_isp_log(const struct sched_report *report, FILE *out);

#endif
