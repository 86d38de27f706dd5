/* SPDX-License-Identifier: BSD-3-Clause */
/* --junit: what CI services show as test results. docs/ci.md has the table of test cases. */
#ifndef SCHED_REPORT_JUNIT_H
#define SCHED_REPORT_JUNIT_H

#include "isp/rules.h"
#include "outputs.h"

bool sched_report_junit(const struct sched_report *report, FILE *out);
/* The test case that findings of this rule belong to; NULL: to none, it is a note. */
const char *sched_junit_case(enum isp_rule rule);

#endif
