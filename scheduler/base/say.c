/* SPDX-License-Identifier: BSD-3-Clause */
#include "say.h"

#include <stdio.h>

#include "alloc.h"
#include "escape.h"
#include "status_line.h"

void sched_say_list(const char *format, va_list args)
{
    char *text = sched_format_list(format, args);
    char *safe = sched_escape(text, "");
    sched_status_line_hide();
    fprintf(stderr, "isp: %s\n", safe);
    free(safe);
    free(text);
}

void sched_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_say_list(format, args);
    va_end(args);
}
