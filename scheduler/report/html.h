/* SPDX-License-Identifier: BSD-3-Clause */
/* The browser's page: one file with the page (viewer/) and its data (viewer/DATA.md) in it. */
#ifndef SCHED_REPORT_HTML_H
#define SCHED_REPORT_HTML_H

#include "outputs.h"
#include "page/selection.h"

/* As sched_formats has it, with 2 000 000 calls and 100 000 nodes. */
bool sched_report_html(const struct sched_report *report, FILE *out);
bool sched_report_html_within(const struct sched_report *report, const struct sched_page_budget *budget,
                              FILE *out);

#endif
