/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line and the environment, parsed once. */
#ifndef SCHED_PARSE_H
#define SCHED_PARSE_H

#include "run/options.h"

/* Fills *options; on bad usage prints one line that says what to do and exits with
 * ISP_EXIT_USAGE. --help and --version print and exit 0. */
void sched_options_parse(struct sched_options *options, int argc, char **argv);
void sched_options_finish(struct sched_options *options);

#endif
