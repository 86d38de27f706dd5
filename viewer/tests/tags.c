/* SPDX-License-Identifier: BSD-3-Clause */
/* All tell rank 0 what they have, in turn; then rank 0 expects tag 12 of rank 1, which sends it tag 13. */
#include <mpi.h>

enum { ROUNDS = 3 };

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        for (int other = 1; rank == 0 && other < size; other++)
            MPI_Recv(&x, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 13, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
