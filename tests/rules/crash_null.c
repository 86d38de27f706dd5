/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 writes to where it has forgotten to allocate. */
/* Twin: every rank allocates where it writes. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, n = 7, *table = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    table = malloc(sizeof(int));
#else
    if (rank == 0)
        table = malloc(sizeof(int));
#endif
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    table[0] = n; /* @crash */
    free(table);
    MPI_Finalize();
    return 0;
}
