/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 1 polls for tag 2, and rank 0 sends tag 1. */
/* Twin: rank 1 polls for tag 2, which rank 0 sends. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, there = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
#ifdef TWIN
        MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
#else
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
#endif
    else {
        while (!there)
            MPI_Iprobe(0, 2, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* @livelock */
        MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
