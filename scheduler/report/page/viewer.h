/* SPDX-License-Identifier: BSD-3-Clause */
/* The page as it was bundled (viewer/): what comes before the data, and what comes after it. */
#ifndef SCHED_REPORT_PAGE_VIEWER_H
#define SCHED_REPORT_PAGE_VIEWER_H

#include <stddef.h>

extern const unsigned char isp_viewer_head[], isp_viewer_tail[];
extern const size_t isp_viewer_head_size, isp_viewer_tail_size;

#endif
