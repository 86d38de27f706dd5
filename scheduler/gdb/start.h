/* SPDX-License-Identifier: BSD-3-Clause */
/* The process that gdb is (law 8: it dies with isp, however isp does). */
#ifndef SCHED_GDB_START_H
#define SCHED_GDB_START_H

#include <sys/types.h>

/* Starts argv[0] of PATH, with its standard input and output at *fd (a socket, close-on-exec), and its
 * standard error nowhere. It has no terminal, gets no signal that is sent to isp's process group, and none of
 * isp's descriptors. -1: errno says why, also if there is no such program. */
pid_t sched_gdb_start(char *const *argv, int *fd);

#endif
