/* SPDX-License-Identifier: BSD-3-Clause */
/* Nobody completes the generalized request that rank 0 waits for. */
#include <mpi.h>
#include <stddef.h>

static int query(void *state, MPI_Status *status)
{
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
    int rank;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancel, NULL, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE); /* @deadlock */
    }
    MPI_Finalize();
    return 0;
}
