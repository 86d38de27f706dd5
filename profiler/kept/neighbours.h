/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbourhood of this rank in a communicator with a topology (MPI-4.0, section 8.6). */
#ifndef PROF_NEIGHBOURS_H
#define PROF_NEIGHBOURS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "tables/communicators.h"

/* How many it receives from and sends to, MPI_PROC_NULL included. False: there is no topology. */
bool prof_neighbours_count(MPI_Comm comm, int *in, int *out);
/* Their ranks in comm, in the order of the buffers; each array has the room that was counted. */
void prof_neighbours_get(MPI_Comm comm, int in, int sources[], int out, int destinations[]);
/* World ranks of the sources, ISP_NO_RANK for MPI_PROC_NULL. NULL: there is no topology. The caller frees
 * it. */
uint32_t *prof_neighbours_sources(const struct prof_comm *c, uint32_t *n);

/* Whether it is a Cartesian grid, where a rank may be the neighbour on both sides. */
bool prof_neighbours_are_a_grid(MPI_Comm comm);

#endif
