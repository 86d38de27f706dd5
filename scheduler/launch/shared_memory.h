/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory: UCX makes /dev/shm/ucx_shm_posix_* and MPICH /dev/shm/mpich_shar_tmp*, and both unlink them
 * as soon as all have attached; SysV segments are marked for removal likewise. Only ranks that are killed in
 * this short while leave names behind. So before the kill all are stopped, the names that they still have
 * mapped or open are noted, and removed when they are dead. Those that the launcher has killed by then have
 * left the names of UCX's segments in the world's folder (ISP_SEGMENTS_FILE).
 */
#ifndef SCHED_SHARED_MEMORY_H
#define SCHED_SHARED_MEMORY_H

#include "processes.h"

/* Names in /dev/shm. */
struct sched_segment_names {
    char **all;
    size_t n;
};

/* Those that the process has mapped or open. */
void sched_segment_names_note(struct sched_segment_names *names, pid_t pid);
/* Removes them; the list is freed. */
void sched_segment_names_remove(struct sched_segment_names *names);

/* There is one, of whatever world. */
bool sched_segment_any(void);
/* Those that are noted in the world's folder, and not taken back. */
void sched_segment_remove_noted(int folder);
/* SysV segments that one of ours made and that were not marked for removal yet. */
void sched_segment_remove_sysv(const struct sched_process *list, size_t n);

#endif
