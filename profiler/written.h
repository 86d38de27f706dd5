/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which files the program has changed. A checkpoint does not bring a file back: if the run after it changes one that the run before it had
 * written, another run would find it other than it was, and this must not look like an error of the program.
 *
 * Files that are only written and stay open (a log) are no harm: they are written again from where they were.
 */
#ifndef PROF_WRITTEN_H
#define PROF_WRITTEN_H

#include <stdbool.h>

/* Why this process cannot be a checkpoint; NULL: its files do not keep it from it. */
const char *prof_written_refuses(void);
/* How many files it has opened so far. */
unsigned prof_written_opened(void);
/* In a child that goes on as the rank: what was written so far must stay as it is, or the scheduler is told. */
void prof_written_forked(void);

#endif
