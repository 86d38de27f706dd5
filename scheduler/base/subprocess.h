/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that isp asks something: with a limit, in a session of their own, and without the settings of isp
 * that are meant for the user's programs. */
#ifndef SCHED_SUBPROCESS_H
#define SCHED_SUBPROCESS_H

/* Runs a program. What it wrote to stdout and stderr, as text (caller frees); *status as waitpid gives it, -1
 * if it could not be started or did not end in time. variable: "NAME=value" to add to its environment, or
 * NULL. */
char *sched_subprocess_run(char *const words[], const char *variable, int limit_s, int *status);

#endif
