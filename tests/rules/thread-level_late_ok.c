/* SPDX-License-Identifier: BSD-3-Clause */
/* As thread-level_late, at a level at which they may. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *send_one(void *peer)
{
    usleep(100000);
    MPI_Send(NULL, 0, MPI_INT, *(int *)peer, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, peer;
    pthread_t helper;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&helper, NULL, send_one, &peer);
    MPI_Recv(NULL, 0, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(helper, NULL);
    MPI_Finalize();
    return 0;
}
