/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives, started three times, and with MPI_Startall beside a persistent message. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, in, most = -1, word = -1, left = -1;
    MPI_Request r[4];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce_init(&in, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Bcast_init(&word, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Recv_init(&left, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[3]);
    for (int round = 0; round < 3; round++) {
        in = rank + round;
        word = rank == 1 ? round : -1;
        MPI_Startall(4, r);
        MPI_Wait(&r[0], &status);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        if (status.MPI_SOURCE != MPI_ANY_SOURCE || status.MPI_TAG != MPI_ANY_TAG)
            exit(1);
        if (most != size - 1 + round || word != round || left != (rank + size - 1) % size || r[0] == MPI_REQUEST_NULL)
            exit(2);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&r[i]);
    MPI_Finalize();
    return 0;
}
