/* SPDX-License-Identifier: BSD-3-Clause */
/* The screen of `isp --help`. */
#ifndef SCHED_HELP_H
#define SCHED_HELP_H

#include "run/options.h"

/* Prints it, and ends isp: it is what --help does (settings.h). */
bool sched_help_print(struct sched_options *options, const char *text);

#endif
