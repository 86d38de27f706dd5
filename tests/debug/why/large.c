/* SPDX-License-Identifier: BSD-3-Clause */
/* So large a message that MPI may let the kernel copy it, which the processor does not tell. */
/* @ask 3: focus 2; why field[70000]; why; why */
#include <mpi.h>
#include <stdlib.h>

enum { N = 100000 };

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *field = calloc(N + 1, sizeof *field);
    if (rank == 0) {
        field[70000] = -1; /* @wrong 0 */
        MPI_Send(field, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(field + 1, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(field + 1, N, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 2)
        MPI_Recv(field, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    free(field);
    return 0;
}
