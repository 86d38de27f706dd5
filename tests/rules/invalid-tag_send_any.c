/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A send with MPI_ANY_TAG. */
/* Twin: a send with a tag. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
#ifdef TWIN
        MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
#else
        MPI_Send(&x, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD); /* @invalid-tag */
#endif
    else
        MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
