/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints where its memory lies, in each of its three interleavings. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int kept;

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        void *heap = malloc(100);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("stack %p heap %p static %p library %p\n", (void *)&value, heap, (void *)&kept,
               (void *)(size_t)&printf);
        free(heap);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
