/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that isp can write about an exploration. This is the only list of them: name (of the variable
 * ISP_NAME too), the x of sched_report_x (report/outputs.h), the option without its dashes, and whether it is
 * made from the trace as well.
 */
#ifndef SCHED_FORMATS_H
#define SCHED_FORMATS_H

#define SCHED_FORMAT_LIST(X)             \
    X(JSON, json, "json", false)         \
    X(SARIF, sarif, "sarif", true)       \
    X(JUNIT, junit, "junit", false)      \
    X(HTML, html, "html", true)          \
    X(ISP_LOG, isp_log, "isp-log", true) \
    X(DOT, dot, "dot", true)

enum sched_format {
#define SCHED_FORMAT_ENUM(name, function, option, needs_trace) SCHED_FORMAT_##name,
    SCHED_FORMAT_LIST(SCHED_FORMAT_ENUM)
#undef SCHED_FORMAT_ENUM
        SCHED_FORMATS,
};

#endif
