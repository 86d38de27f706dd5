/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_DEBUG_COMMAND_H
#define SCHED_DEBUG_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* isp debug: argv[0] is "debug". Returns the exit code. */
int sched_debug_command(int argc, char **argv);

/* isp --debug. Standard input is for the commands, and not for the ranks: before any are started. NULL:
 * errno. */
FILE *sched_debug_input(void);
/* Stands at the first error of this result, else at its first warning. False: it has failed, and has said
 * why. */
bool sched_debug_result(const json_t *result, FILE *commands);

#endif
