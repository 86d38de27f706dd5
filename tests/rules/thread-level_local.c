/* SPDX-License-Identifier: BSD-3-Clause */
/* At MPI_THREAD_FUNNELED a second thread asks for its rank. */
#include <mpi.h>
#include <pthread.h>

static void *ask(void *rank)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank); /* @thread-level */
    return NULL;
}

int main(int argc, char **argv)
{
    int level, rank = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_create(&thread, NULL, ask, &rank);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return rank < 0;
}
