/* SPDX-License-Identifier: BSD-3-Clause */
/* One message from each worker, in any order, argv[2] times (1): (n - 1)! interleavings, to that power.
 * Before it, each rank computes for argv[1] seconds (0). */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, value;
    double seconds = argc > 1 ? atof(argv[1]) : 0;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
        ;
    for (int round = 0; round < rounds; round++)
        if (rank == 0)
            for (int worker = 1; worker < size; worker++)
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
