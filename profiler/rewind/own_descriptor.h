/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors by which a process looks at itself. One that is inherited is about the parent, and is
 * closed. */
#ifndef PROF_OWN_DESCRIPTOR_H
#define PROF_OWN_DESCRIPTOR_H

#include <stdbool.h>

/* Puts `fresh`, which was just opened (below 0: it was not), out of the way of programs that count on small
 * numbers, and its number into *own, in place of what is there (below 0: nothing). False: there is none. */
bool prof_own_descriptor(int *own, int fresh);
/* From which number on they are. */
int prof_own_descriptor_lowest(void);
/* This one, which is open, was made so, by this process or one that it was forked from. */
bool prof_own_descriptor_is_one(int fd);
/* The same for a file of /proc/self. */
bool prof_own_descriptor_open(int *own, const char *path);
/* A duplicate (duplicates.h) of the program's descriptor; below 0: there are too many. */
int prof_own_descriptor_duplicate(int fd);
/* Of all that were made: in a process that has inherited them, and makes its own. */
void prof_own_descriptor_drop_duplicates(void);

#endif
