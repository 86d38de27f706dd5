/* SPDX-License-Identifier: BSD-3-Clause */
/* Only rank 1 can be the first, for rank 2 waits for rank 0; the receive that follows names rank 1 again. */
/* Twin: rank 2 is released before rank 0 waits for it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
        MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#endif
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
