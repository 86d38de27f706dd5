/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives are made in the same order; they may be started in any (MPI-4.0, section 6.13). */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    for (int round = 1; round < 3; round++) {
        word = rank ? 0 : round;
        MPI_Start(&r[rank % 2]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Start(&r[1 - rank % 2]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        if (word != round)
            exit(1);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Finalize();
    return 0;
}
