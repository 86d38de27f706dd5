/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize is called by another thread than MPI_Init_thread; even at MPI_THREAD_MULTIPLE the main thread has to do it. */
/* Twin: at MPI_THREAD_MULTIPLE any thread may wait at a barrier; MPI_Finalize is left to the main thread. */
#include <mpi.h>
#include <pthread.h>

static void *end(void *unused)
{
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#else
    MPI_Finalize(); /* @thread-level */
#endif
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
#ifdef TWIN
    MPI_Finalize();
#endif
    return 0;
}
