/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that a rank or a report names may be anything, also what is not to be opened without harm, such as a
 * pipe that nobody writes to. */
#ifndef SCHED_REGULAR_FILE_H
#define SCHED_REGULAR_FILE_H

#include <stdint.h>

/* For reading, if it is a regular file of at most `largest` bytes; else -1. */
int sched_regular_file_open(const char *path, int64_t largest);

#endif
