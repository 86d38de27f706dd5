/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize is called by another thread than MPI_Init_thread; even at MPI_THREAD_MULTIPLE the main thread has to do it. */
#include <mpi.h>
#include <pthread.h>

static void *end(void *unused)
{
    MPI_Finalize(); /* @thread-level */
    return unused;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    return 0;
}
