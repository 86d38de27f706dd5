/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank allocates where it writes. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, n = 7, *table = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    table = malloc(sizeof(int));
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    table[0] = n;
    free(table);
    MPI_Finalize();
    return 0;
}
