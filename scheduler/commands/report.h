/* SPDX-License-Identifier: BSD-3-Clause */
/* isp report FILE: reports from a trace, afterwards and elsewhere. */
#ifndef SCHED_COMMANDS_REPORT_H
#define SCHED_COMMANDS_REPORT_H

/* argv[0] is "report". The exit code. */
int sched_command_report(int argc, char **argv);

#endif
