/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* A generalized request is completed by the program, but never waited for: its free function is never called. */
/* Twin: it is completed, and waited for. */
#include <mpi.h>

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Grequest_start(query, release, cancel, &r, &r); /* @missing-wait */
    MPI_Grequest_complete(r);
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
