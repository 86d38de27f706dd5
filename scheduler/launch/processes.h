/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of this host, by /proc: which belong to a world, and signals for those. The guard has no memory to
 * ask for when it counts, so nothing here ends the process that calls it. */
#ifndef SCHED_PROCESSES_H
#define SCHED_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sched_process {
    pid_t pid, parent; /* parent -1: it is gone, or has died and waits for its parent */
    bool ours;
};

/* All; the caller frees. */
size_t sched_processes_list(struct sched_process **list);
/* `ours` of the descendants of `root`. How many. */
size_t sched_processes_mark_descendants(struct sched_process *list, size_t n, pid_t root);
/* To all that are ours. True: there are some, and none may be signalled: they have become another user's. */
bool sched_processes_signal(const struct sched_process *list, size_t n, int signal);
/* Some child of the process; 0: it has none. */
pid_t sched_processes_child(pid_t parent);
/* It has this in its environment. */
bool sched_process_carries(pid_t pid, const char *token);
/* A file of /proc, with '\0' at its end; its length, or -1. */
int sched_proc_read(const char *path, char *room, size_t size);

#endif
