/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which files the program looks at, and which it changes: the scheduler is told (ISP_MSG_FILE), and knows
 * when a checkpoint does not bring back what a launch would do anew (scheduler/world/files.h). Not seen:
 * writes to what is open. Files that are only written and stay open (a log) are no harm: they are written
 * again from where they were.
 */
#ifndef PROF_WRITTEN_H
#define PROF_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct isp_file;

/* Things outside of the process that hold something, and that no checkpoint brings back. */
#define PROF_WRITTEN_CHANNELS "it has pipes, sockets or queues of its own"
#define PROF_WRITTEN_LOCKS "it locks files"

/* The scheduler hears from here on. */
void prof_written_begin(void);
/* How many files it has opened, and memory that it may share it has mapped, so far. */
unsigned prof_written_opened(void);
/* How often it has looked at files, or whether there are any, so far. */
unsigned prof_written_looks(void);
/* Sets what names this file; path is borrowed. False: there is none; its name may be set all the same. */
bool prof_written_identify(const char *path, struct isp_file *file);
void prof_written_tell(const struct isp_file *file);
/* What is no file, and is known to other programs by a name. */
void prof_written_named(uint16_t what, const char *kind, const char *name);
/* In a child that goes on as the rank. */
void prof_written_forked(void);
/* The program forks. */
void prof_written_child(void);

#endif
