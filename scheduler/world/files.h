/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a run have done to files, as they tell it (ISP_MSG_FILE, ISP_MSG_FILE_ACCESS): which
 * names and files they have looked at, and which they have changed. No checkpoint brings that back. So a run
 * that goes on from one must not look at what was changed before it, since a run before may have changed it
 * further (through what was open), nor change what was looked at or changed before it: a launch would do that
 * anew.
 *
 * Of files that MPI reads and writes the bytes are known: what an earlier run has left is only what this run
 * has not written itself.
 */
#ifndef SCHED_WORLD_FILES_H
#define SCHED_WORLD_FILES_H

#include <stdbool.h>
#include <stdint.h>

struct isp_file;
struct isp_file_access;
struct sched_files;
struct sched_leftovers;

void sched_files_destroy(struct sched_files *files);
/* NULL of NULL. */
struct sched_files *sched_files_copy(const struct sched_files *files);
/* *files is made if need be. now: the newest checkpoint ever, by number; last: the newest one to which the
 * run can still go back, 0 if there is none. True: going back there would show. */
bool sched_files_take(struct sched_files **files, const struct isp_file *told, uint64_t now, uint64_t last);
/* MPI reads or writes bytes of a file. True: going back would show. */
bool sched_files_access(struct sched_files *files, const struct isp_file_access *access, uint64_t now,
                        uint64_t last);
/* Which files it has looked at, and which it has changed, as a number; 0 of NULL. */
uint64_t sched_files_hash(const struct sched_files *files);
/* Some file was both: what the program does may depend on what it has written. */
bool sched_files_are_read_back(const struct sched_files *files);
/* The run is over: what it has looked at as it found it, and what it leaves. */
void sched_files_leave(const struct sched_files *files, struct sched_leftovers **leftovers);

#endif
