/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI that a program was built with. isp runs all programs on MPICH: those of another MPI find in its
 * place a library that has its interface and calls MPICH's (adapters/).
 */
#ifndef SCHED_MPI_H
#define SCHED_MPI_H

/* Another interface than MPICH's. */
struct sched_mpi {
    const char *option; /* of --mpi */
    const char *with;   /* "built with ..." */
    const char *front;  /* the library that is preloaded before libisp.so (adapters/) */
};
extern const struct sched_mpi sched_open_mpi;

/* What a program was built with; NULL: MPICH, or what has its binary interface. program: the file that is
 * executed; command: as the user has typed it, of which the words say what an interpreter runs. */
const struct sched_mpi *sched_mpi_of(const char *program, char *const *command);
/* That of a word of --mpi; NULL likewise. */
const struct sched_mpi *sched_mpi_named(const char *option);

#endif
