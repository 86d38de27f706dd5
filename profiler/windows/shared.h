/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that ranks of one host share. isp starts the ranks of a local run so that MPICH takes each for a
 * host of its own (MPIR_CVAR_NOLOCAL: a run starts in two thirds of the time). MPI would then put each into a
 * communicator of its own, and give each its own copy of a shared window. So both are made here, of what else
 * MPI has.
 */
#ifndef PROF_SHARED_H
#define PROF_SHARED_H

#include <mpi.h>
#include <stdbool.h>

struct prof_shared;

/* MPICH takes each rank for a host of its own. */
bool prof_shared_is_hidden(void);
/* As MPI_Win_allocate_shared. *shared: the memory of all, or NULL. */
int prof_shared_allocate(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                         MPI_Win *win, struct prof_shared **shared);
/* As MPI_Win_shared_query; rank may be MPI_PROC_NULL. */
void prof_shared_query(const struct prof_shared *shared, int rank, MPI_Aint *size, MPI_Aint *disp_unit,
                       void *baseptr);
void prof_shared_destroy(struct prof_shared *shared);

#endif
