/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where private folders are made: TMPDIR, if it can be used, and nobody else (but root) can put something in
 * the place of what lies there; else /tmp. So neither it nor a folder above it may belong to another user, or
 * be writable by others without the sticky bit. The way to it may lead through links.
 */
#ifndef SCHED_TMPDIR_H
#define SCHED_TMPDIR_H

/* Without links. It is found once; a process that is forked afterwards has the same. */
const char *sched_tmpdir(void);
/* Why TMPDIR is not taken; NULL: it is, or there is none. */
const char *sched_tmpdir_refused(void);
/* Says so on stderr. */
void sched_tmpdir_tell(void);

#endif
