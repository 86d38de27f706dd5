/* SPDX-License-Identifier: BSD-3-Clause */
/* two_stuck STEPS: a ring, and then two neighbours in the middle of it wait for a message of each other. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, in, steps = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int first = size / 2, other = rank == first ? first + 1 : first;
    if (rank == first || rank == first + 1) {
        MPI_Recv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
