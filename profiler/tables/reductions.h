/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction operations of the program's own that a pending collective uses: one that the program frees before
 * that is done (MPI-4.0, section 6.9.5, allows it) lives on inside MPI.
 */
#ifndef PROF_REDUCTIONS_H
#define PROF_REDUCTIONS_H

#include <mpi.h>

/* Predefined operations and MPI_OP_NULL are nothing to them. */
void prof_reduction_hold(MPI_Op op);
void prof_reduction_release(MPI_Op op);
/* The program frees it: inside MPI now, or when nobody uses it. Returns MPI's code. */
int prof_reduction_free(MPI_Op *op);

#endif
