/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The second receive names another tag: the barrier between the two orders nothing. */
/* Twin: the second receive names another rank but the same tag, and only the barrier keeps its message
 * away from the first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* @irrelevant-barrier */
    if (rank == 0)
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#else
        MPI_Recv(&x, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
