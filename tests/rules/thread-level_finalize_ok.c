/* SPDX-License-Identifier: BSD-3-Clause */
/* At MPI_THREAD_MULTIPLE any thread may wait at a barrier; MPI_Finalize is left to the main thread. */
#include <mpi.h>
#include <pthread.h>

static void *end(void *unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
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
    MPI_Finalize();
    return 0;
}
