/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segments of shared memory that MPI's transport has made in this process. The scheduler saves them at a
 * checkpoint and puts them back; so it is told where to find them.
 */
#ifndef PROF_SEGMENTS_H
#define PROF_SEGMENTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Tells those that were made before the link was open. */
void prof_segments_tell(void);
/* Whether a file is in the file system of shared memory. */
bool prof_segments_is_one(const struct stat *file);
/* The name is gone. */
void prof_segments_unlinked(const char *name);
/* The program has shared memory of its own, which nobody puts back. */
bool prof_segments_others(void);

#endif
