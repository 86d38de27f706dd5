/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel says of a process. */
#ifndef SCHED_PROCESS_H
#define SCHED_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* By a signal, or by a debugger. */
bool sched_process_is_stopped(pid_t pid);
/* Whether what a process told as its host's name is that of isp's own. */
bool sched_process_is_here(const char *host);

#endif
