/* SPDX-License-Identifier: BSD-3-Clause */
/* Of two windows one is never freed. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int *memory, value = 7;
    MPI_Win kept, freed;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &kept); /* @leak-window */
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &freed);
    MPI_Win_fence(0, kept);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, kept);
    MPI_Win_fence(0, kept);
    MPI_Win_free(&freed);
    MPI_Finalize();
    return 0;
}
