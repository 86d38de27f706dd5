/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to windows (MPI-4.0, section 12.3), seen before MPI does them. */
#ifndef PROF_RMA_H
#define PROF_RMA_H

#include <mpi.h>
#include <stdbool.h>

#include "isp/access.h"

struct prof_win;

/* The arguments of an access; what a function has not is 0. */
struct prof_rma {
    enum isp_access_kind kind;
    const void *origin;
    MPI_Count origin_count;
    MPI_Datatype origin_type;
    void *result; /* of those that fetch */
    MPI_Count result_count;
    MPI_Datatype result_type;
    int target; /* rank in the window's group */
    MPI_Aint disp;
    MPI_Count target_count;
    MPI_Datatype target_type;
    MPI_Op op;
    MPI_Win win;
    bool request;
};

/* Before the access that the thread is in: MPI_SUCCESS, or what the call returns, since it must not be
 * made. */
int prof_rma_check(const struct prof_rma *access);

#endif
