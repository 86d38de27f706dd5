/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder share: messages of one int. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <mpi.h>

static int me, ranks;

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* The call sites are those of the program: macros. */
#define GIVE(dest, tag) MPI_Ssend(&me, 1, MPI_INT, dest, tag, MPI_COMM_WORLD)
#define TAKE(source, tag) MPI_Recv(&(int){0}, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define TAKE_ANY(tag) TAKE(MPI_ANY_SOURCE, tag)

#endif
