/* SPDX-License-Identifier: BSD-3-Clause */
/* The same with memory that was allocated again: what its last owner has written is no cause. */
/* @ask 2: focus 1; why got; why */
/* @says nobody has changed it since its memory was freed here: it is what was left there before */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int *old = malloc(4096), *fresh;
        for (int i = 0; i < 1024; i++)
            old[i] = -i;
        free(old);
        fresh = malloc(4096);
        MPI_Send(&fresh[100], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        free(fresh);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return got > 0;
}
