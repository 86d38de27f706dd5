/* SPDX-License-Identifier: BSD-3-Clause */
/* If the message of rank 2 comes first, rank 0 reads behind its array. */
#include <mpi.h>
#include <stdlib.h>

static int element(const int *array, int i) { return array[i]; /* @crash */ }

int main(int argc, char **argv)
{
    int rank, from[2], sum = 0, *array = calloc(2, sizeof *array);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = element(array, from[0]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(array);
    MPI_Finalize();
    return sum;
}
