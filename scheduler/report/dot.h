/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph of one interleaving for Graphviz: that of the first finding, or else the first one. */
#ifndef SCHED_REPORT_DOT_H
#define SCHED_REPORT_DOT_H

#include "outputs.h"

bool sched_report_dot(const struct sched_report *report, FILE *out);

#endif
