/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends with Isend and forgets the request. */
/* Twin: the request is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* @missing-wait */
#ifdef TWIN
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
