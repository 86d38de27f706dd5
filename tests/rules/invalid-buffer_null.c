/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A receive into memory that was never allocated. */
/* Twin: a receive into memory that was allocated. */
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    int *x = malloc(sizeof *x);
#else
    int *x = NULL;
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @invalid-buffer */
#ifdef TWIN
    free(x);
#endif
    MPI_Finalize();
    return 0;
}
