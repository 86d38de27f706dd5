/* SPDX-License-Identifier: BSD-3-Clause */
/* --sarif: what code scanning services and editors read (SARIF 2.1.0, an OASIS standard). docs/ci.md says
 * what becomes of what. */
#ifndef SCHED_REPORT_SARIF_H
#define SCHED_REPORT_SARIF_H

#include "outputs.h"

bool sched_report_sarif(const struct sched_report *report, FILE *out);

#endif
