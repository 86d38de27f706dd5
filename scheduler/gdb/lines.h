/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the lines of a function begin. */
#ifndef SCHED_GDB_LINES_H
#define SCHED_GDB_LINES_H

#include <stddef.h>
#include <stdint.h>

struct sched_gdb;

struct sched_gdb_line {
    uint64_t address;
    int line;        /* 0: not the beginning of one (sched_gdb_line_at) */
    unsigned length; /* of its instruction, if that does the same wherever it stands; else 0 */
    uint8_t code[2]; /* what stands there */
};

/* Of the function that this code is in, by addresses, without the function's own beginning (where its frame
 * is not made yet), and without those that follow one of the same line. `file`: its source, as a frame has
 * it. Caller frees; n 0: nothing is known. */
struct sched_gdb_line *sched_gdb_lines(struct sched_gdb *g, const char *file, uint64_t pc, size_t *n);
/* One place in the code. */
struct sched_gdb_line sched_gdb_line_at(struct sched_gdb *g, uint64_t pc);

#endif
