/* SPDX-License-Identifier: BSD-3-Clause */
/* What isp says of itself on stderr: one line, whatever is in the paths, option values and words of others
 * that it names. */
#ifndef SCHED_SAY_H
#define SCHED_SAY_H

#include <stdarg.h>

/* "isp: ", the text with what could end or steer the line escaped, and the end of the line. */
__attribute__((format(printf, 1, 2))) void sched_say(const char *format, ...);
__attribute__((format(printf, 1, 0))) void sched_say_list(const char *format, va_list args);

#endif
