/* SPDX-License-Identifier: BSD-3-Clause */
/* --junit: what CI services show as test results. docs/ci.md has the table of test cases. */
#ifndef SCHED_REPORT_JUNIT_H
#define SCHED_REPORT_JUNIT_H

#include "outputs.h"

bool sched_report_junit(const struct sched_report *report, FILE *out);

#endif
