/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank passes its values on to the right. Works for short messages: docs/tutorial.md. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, count = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double *mine = malloc(count * sizeof *mine), *theirs = malloc(count * sizeof *theirs);
    for (int i = 0; i < count; i++)
        mine[i] = rank;

    MPI_Send(mine, count, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Recv(theirs, count, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    if (rank == 0)
        printf("rank 0 got %d values from rank %.0f\n", count, theirs[0]);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
