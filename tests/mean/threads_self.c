/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of one process need no order: each thread duplicates MPI_COMM_SELF. Of MPI_COMM_WORLD it would be an error (MPI-4.0, 11.6.2). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

#ifdef TWIN
#define PARENT MPI_COMM_SELF
#else
#define PARENT MPI_COMM_WORLD
#endif

static void *copy(void *unused)
{
    MPI_Comm comm;
    MPI_Comm_dup(PARENT, &comm); /* @thread-level */
    MPI_Comm_free(&comm);
    return unused;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_create(&thread, NULL, copy, NULL);
    copy(NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
