/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_DEBUG_COMMAND_H
#define SCHED_DEBUG_COMMAND_H

/* isp debug: argv[0] is "debug". Returns the exit code. */
int sched_debug_command(int argc, char **argv);

#endif
