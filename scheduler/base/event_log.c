/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_log.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

#include "isp/verdict.h"

static char last[256]; /* what it said last: a warning tells more than the error that follows */

static void on_message(int severity, const char *message)
{
    if (severity >= EVENT_LOG_WARN)
        snprintf(last, sizeof last, "%s", message);
}

static void on_fatal(int error)
{
    fprintf(stderr, "isp: cannot go on: %s\n", *last ? last : "libevent has failed");
    exit(ISP_EXIT_TOOL);
}

void sched_event_log_begin(void)
{
    event_set_log_callback(on_message);
    event_set_fatal_callback(on_fatal);
}
