/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a rank stands: the frames of a thread that are the program's own. Those of isp, of the MPI library
 * and what it is made of, and of the C library are left out, the innermost ones and others (of an operation
 * of the program's that MPI_Reduce has called, say). The first frame is where the rank stands:
 *
 *     in a call of MPI          the frame that has called it; `call` is its name
 *     of a crash                the frame of the fault, or the one that gave the C library something wrong
 *     of abort(), assert()      the frame that has called it
 */
#ifndef SCHED_GDB_FRAMES_H
#define SCHED_GDB_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sched_gdb;

struct sched_gdb_frame {
    int level;      /* gdb's number of it */
    uint64_t pc;    /* in a frame that has called something: where that returns to */
    char *function; /* NULL: not known */
    char *file;     /* the whole path; NULL: not known */
    int line;       /* 0: not known */
    char *module;   /* the program or the library, its path */
    char *call;     /* of the first only: the function that is left out next to it ("MPI_Recv"); NULL: none */
};

struct sched_gdb_thread {
    int number; /* gdb's */
    int id;     /* Linux's */
    bool own;   /* has frames of the program's */
    char *name;
};

/* Innermost first; none: *n is 0, and there is an array all the same. `thread`: 0 is the chosen one. At most
 * SCHED_GDB_FRAMES_MOST are looked at. */
enum { SCHED_GDB_FRAMES_MOST = 1000 };
struct sched_gdb_frame *sched_gdb_frames(struct sched_gdb *g, int thread, size_t *n);
void sched_gdb_frames_destroy(struct sched_gdb_frame *frames, size_t n);

struct sched_gdb_thread *sched_gdb_threads(struct sched_gdb *g, size_t *n);
void sched_gdb_threads_destroy(struct sched_gdb_thread *threads, size_t n);
/* Moves, and what is asked of thread 0, are those of this one, until the rank has stopped again. */
bool sched_gdb_choose_thread(struct sched_gdb *g, int thread);

/* The address above the frame's own part of the stack (DWARF's CFA), which is the same as long as it lives.
 * */
bool sched_gdb_frame_address(struct sched_gdb *g, int level, uint64_t *cfa);

#endif
