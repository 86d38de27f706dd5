/* SPDX-License-Identifier: BSD-3-Clause */
/* At MPI_THREAD_FUNNELED a second thread computes with what the main thread has asked for, and calls only what any thread may call at any time. */
#include <mpi.h>
#include <pthread.h>

static int rank;

static void *ask(void *unused)
{
    int level, main_thread, there;
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    MPI_Initialized(&there);
    return main_thread || !there || rank < 0 || MPI_Wtime() < 0 ? &rank : unused;
}

int main(int argc, char **argv)
{
    int level;
    void *wrong;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, ask, NULL);
    pthread_join(thread, &wrong);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong != NULL;
}
