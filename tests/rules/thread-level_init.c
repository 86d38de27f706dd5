/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init grants MPI_THREAD_SINGLE, but a second thread sends. */
#include <mpi.h>
#include <pthread.h>

static void *send_one(void *peer)
{
    int n = 1;
    MPI_Send(&n, 1, MPI_INT, *(int *)peer, 0, MPI_COMM_WORLD); /* @thread-level */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, n, peer = 1;
    pthread_t thread;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, send_one, &peer);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
