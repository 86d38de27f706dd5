/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breakpoints of one rank. They outlive the process: gdb sets them in the next one. In memory they are only
 * while the process runs.
 *
 * A function of MPI may be given as well (MPI_Send): then the rank stops at each call of it, and stands in
 * the program.
 */
#ifndef SCHED_GDB_BREAKPOINTS_H
#define SCHED_GDB_BREAKPOINTS_H

#include <stdbool.h>

struct sched_gdb;

struct sched_gdb_breakpoint {
    int number;
    bool is_pending; /* in no code that is known yet */
    char *file;      /* of its first place; NULL: not known */
    int line;        /* 0: not known */
};

/* At a place as gdb writes it: FILE:LINE, FUNCTION, FILE:FUNCTION, *ADDRESS. `condition`: NULL, or what must
 * hold. `once`: it is deleted when it is hit. *b is for sched_gdb_breakpoint_finish. */
bool sched_gdb_break(struct sched_gdb *g, const char *place, const char *condition, bool once,
                     struct sched_gdb_breakpoint *b);
void sched_gdb_breakpoint_finish(struct sched_gdb_breakpoint *b);

enum sched_gdb_access { SCHED_GDB_WRITTEN, SCHED_GDB_READ, SCHED_GDB_TOUCHED };
/* When this is written (and has changed) or read: a variable as the frame sees it, or an address with a type,
 * *(int *) 0x1234. A watched local variable ends with its function (SCHED_GDB_SCOPE). The processor must be
 * able to watch it, else false. A watchpoint does not outlive its process. */
bool sched_gdb_watch(struct sched_gdb *g, int level, const char *expression, enum sched_gdb_access access,
                     int *number);

/* NULL: no condition any more. */
bool sched_gdb_break_when(struct sched_gdb *g, int number, const char *condition);
bool sched_gdb_break_enable(struct sched_gdb *g, int number, bool enabled);
bool sched_gdb_break_delete(struct sched_gdb *g, int number);

#endif
