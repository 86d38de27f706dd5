/* SPDX-License-Identifier: BSD-3-Clause */
/* argv[1] seconds of computation on each rank, then rank 0 takes one message from each worker: 3! = 6 orders with 4 ranks. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, value;
    double seconds = argc > 1 ? atof(argv[1]) : 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int worker = 1; worker < size; worker++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
