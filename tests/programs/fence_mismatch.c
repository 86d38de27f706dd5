/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank fences once more before the window is freed. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Win_fence(0, win); /* @collective-mismatch */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
