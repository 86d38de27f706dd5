/* SPDX-License-Identifier: BSD-3-Clause */
/* What libevent says, which would print it and end isp with code 1: that the machine has no more descriptors
 * for the loop, mostly. */
#ifndef SCHED_EVENT_LOG_H
#define SCHED_EVENT_LOG_H

/* From now on: what it cannot live with is told in a line, and isp ends with ISP_EXIT_TOOL. */
void sched_event_log_begin(void);

#endif
