/* SPDX-License-Identifier: BSD-3-Clause */
/* Many small wrong programs in one, each with one cause (README.md). */
#ifndef CAUSES_H
#define CAUSES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

extern int rank, size;
extern bool repaired; /* the run is of the repaired program: BUG takes its second argument */

#define BUG(wrong, right) (repaired ? (right) : (wrong))

struct program {
    const char *name;
    void (*run)(void);
    bool threads; /* needs MPI_THREAD_MULTIPLE */
    struct program *next;
};
void add_program(struct program *program);

#define DEFINE_PROGRAM(name, threads)                                                                        \
    static void name(void);                                                                                  \
    __attribute__((constructor)) static void add_##name(void)                                                \
    {                                                                                                        \
        static struct program program = {#name, name, threads, NULL};                                        \
        add_program(&program);                                                                               \
    }                                                                                                        \
    static void name(void)

/* The number of ranks is for table.py. */
#define PROGRAM(name, ranks) DEFINE_PROGRAM(name, false)
#define THREADED(name, ranks) DEFINE_PROGRAM(name, true)

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

#endif
