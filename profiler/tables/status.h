/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program is told of an operation. */
#ifndef PROF_STATUS_H
#define PROF_STATUS_H

#include <mpi.h>

void prof_status_empty(MPI_Status *status);
void prof_status_proc_null(MPI_Status *status);
/* Of a message that a probe found; source: rank in the communicator. */
void prof_status_found(MPI_Status *status, int source, int tag, MPI_Count bytes);
/* Copies all but MPI_ERROR; `status` may be MPI_STATUS_IGNORE. */
void prof_status_copy(MPI_Status *status, const MPI_Status *from);

#endif
