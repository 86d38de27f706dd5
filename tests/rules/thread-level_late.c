/* SPDX-License-Identifier: BSD-3-Clause */
/* The main threads wait for messages that threads send which may not, long after every rank has come to wait. */
/* Twin: as thread-level_late, at a level at which they may. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *send_one(void *peer)
{
    usleep(20000);
    MPI_Send(NULL, 0, MPI_INT, *(int *)peer, 0, MPI_COMM_WORLD); /* @thread-level */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, peer;
    pthread_t helper;

#ifdef TWIN
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&helper, NULL, send_one, &peer);
    MPI_Recv(NULL, 0, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(helper, NULL);
    MPI_Finalize();
    return 0;
}
