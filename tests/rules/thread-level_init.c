/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init grants MPI_THREAD_SINGLE, but a second thread sends. */
/* Twin: MPI_Init_thread grants MPI_THREAD_SERIALIZED: a second thread may send, since the first does
 * nothing meanwhile. */
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
#ifdef TWIN
    int rank, level, n, peer = 1;
#else
    int rank, n, peer = 1;
#endif
    pthread_t thread;

#ifdef TWIN
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
#else
    MPI_Init(&argc, &argv);
#endif
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
