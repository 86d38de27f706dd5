/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes of this host are ranks, before they say so themselves: by what the launcher has put into
 * their environment. */
#ifndef SCHED_RANK_PROCESSES_H
#define SCHED_RANK_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sched_rank_process {
    pid_t pid;
    int rank;
};

/* False: isp has such a variable itself. It is not looked at then, since the launcher may have it from there,
 * and ranks that have no other one are not found. */
bool sched_rank_processes_are_all(void);
/* All that carry the token of a world, by pid, so that what a process has started comes after it; the caller
 * frees. A rank may be several: the script that starts the program, what the program starts. How many. */
size_t sched_rank_processes(const char *token, struct sched_rank_process **list);

#endif
