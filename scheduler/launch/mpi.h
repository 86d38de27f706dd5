/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI that a program was built with. isp runs all programs on MPICH: those of another MPI find in its
 * place a library that has its interface and calls MPICH's (adapters/).
 */
#ifndef SCHED_MPI_H
#define SCHED_MPI_H

#include <stdbool.h>

/* Whether it was built with Open MPI. program: the file that is executed; command: as the user has typed it,
 * of which the words say what an interpreter runs. */
bool sched_mpi_is_open(const char *program, char *const *command);

#endif
