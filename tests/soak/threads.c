/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank with two threads, argv[1] times: each takes two messages with a tag of its own from anyone, one of
 * which is its own rank's. Four interleavings, to that power. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int rank, rounds;

static void *take(void *number)
{
    int data = rank, got;
    for (int round = 0; round < rounds; round++) {
        int tag = 2 * round + *(int *)number;
        if (rank == 1) {
            MPI_Send(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
            continue;
        }
        MPI_Request own;
        MPI_Isend(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &own);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&own, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, tags[2] = {0, 1};
    pthread_t other;
    rounds = argc > 1 ? atoi(argv[1]) : 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&other, NULL, take, &tags[1]);
    take(&tags[0]);
    pthread_join(other, NULL);
    MPI_Finalize();
    return level != MPI_THREAD_MULTIPLE;
}
