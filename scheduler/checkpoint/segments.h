/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segments of shared memory through which the ranks' MPI sends messages, mapped here as well: saved when
 * the world is quiet, and put back. What is saved several times without a change is kept once.
 *
 * Memory that a rank has shared but never touched has no pages, and gets none by being looked at.
 */
#ifndef SCHED_SEGMENTS_H
#define SCHED_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sched_segments;
struct sched_memory; /* what was in them */

struct sched_segments *sched_segments_create(void);
void sched_segments_destroy(struct sched_segments *segments);

/* One more, which process `pid` on this host has open as `fd`; messages to `rank` go through it. False: it
 * cannot be had. */
bool sched_segments_add(struct sched_segments *segments, int rank, pid_t pid, int fd);
size_t sched_segments_count(const struct sched_segments *segments);

/* changed: by rank, whether it may have sent or received something since they were saved or put back last. */
/* NULL: a rank has truncated its memory. */
struct sched_memory *sched_segments_save(struct sched_segments *segments, const bool *changed);
/* Segments that were made since are forgotten: nobody has them any more. False: a rank has truncated its
 * memory, and it is not put back. */
bool sched_segments_restore(struct sched_segments *segments, const struct sched_memory *memory,
                            const bool *changed);
void sched_memory_destroy(struct sched_memory *memory);

#endif
