/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCHED_DEBUG_DAP_COMMAND_H
#define SCHED_DEBUG_DAP_COMMAND_H

/* isp dap: argv[0] is "dap". Returns the exit code. */
int sched_dap_command(int argc, char **argv);

#endif
