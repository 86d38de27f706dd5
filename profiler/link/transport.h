/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What carries MPI's messages. isp knows MPICH with UCX: what is complete for its sender needs that one no
 * more, and it gives the core away while it waits (progress.c). Of any other (MPICH with libfabric, which is
 * the default of MPICH and what Intel's and Cray's have; MPICH's older device; another MPI with MPICH's
 * binary interface) nothing is taken for granted: a rank that waits for isp lets MPI work, and does not go
 * back to a checkpoint.
 */
#ifndef PROF_TRANSPORT_H
#define PROF_TRANSPORT_H

#include <mpi.h>
#include <stdbool.h>

/* After MPI_Init: looks which it is. */
void prof_transport_begin(void);
bool prof_transport_is_known(void);
/* PMPI_Wait; gives the core away while nothing happens. */
int prof_transport_wait(MPI_Request *request, MPI_Status *status);

#endif
