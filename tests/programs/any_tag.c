/* SPDX-License-Identifier: BSD-3-Clause */
/* Any tag from anybody: wrong if tag 2 comes first. */
/* Twin: any tag from anybody, as it comes. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
#ifdef TWIN
        assert(status.MPI_TAG == status.MPI_SOURCE);
#else
        assert(status.MPI_TAG == 1); /* @assertion */
#endif
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
