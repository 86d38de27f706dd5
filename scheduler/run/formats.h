/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that isp can write about an exploration, by their numbers; report/outputs.c has the table. */
#ifndef SCHED_FORMATS_H
#define SCHED_FORMATS_H

enum sched_format {
    SCHED_FORMAT_JSON,
    SCHED_FORMAT_SARIF,
    SCHED_FORMAT_JUNIT,
    SCHED_FORMAT_HTML,
    SCHED_FORMAT_ISP_LOG,
    SCHED_FORMAT_DOT,
    SCHED_FORMATS,
};

#endif
