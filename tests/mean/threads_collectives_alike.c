/* SPDX-License-Identifier: BSD-3-Clause */
/* The same, though both threads call the same: it works, and is an error all the same (MPI-4.0, 6.14). A join puts them in order. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *meet(void *unused)
{
    MPI_Barrier(MPI_COMM_WORLD); /* @thread-level? */
    return unused;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_create(&thread, NULL, meet, NULL);
#ifdef TWIN
    pthread_join(thread, NULL);
#endif
    MPI_Barrier(MPI_COMM_WORLD); /* @thread-level? */
#ifndef TWIN
    pthread_join(thread, NULL);
#endif
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
