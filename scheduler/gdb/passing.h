/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that isp itself uses in the ranks, to watch memory: they pass without being shown. */
#ifndef SCHED_GDB_PASSING_H
#define SCHED_GDB_PASSING_H

#include <stdbool.h>

struct sched_gdb;

/* The process has stopped by a signal. True: it is looked at, and then either it passes and the move goes on,
 * or it is told as the program's own. */
bool sched_gdb_may_be_isps(struct sched_gdb *g);
/* It gets the signal by which it has stopped, and the move goes on from where that came. */
void sched_gdb_pass(struct sched_gdb *g);
/* The process has stopped because such a signal has been passed. */
bool sched_gdb_has_passed(struct sched_gdb *g);

/* What move.c does then: the move goes on; the signal is the program's. */
void sched_gdb_go_on(struct sched_gdb *g);
void sched_gdb_own_signal(struct sched_gdb *g);

#endif
