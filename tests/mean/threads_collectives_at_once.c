/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads are in collectives of one communicator: nobody puts them in order (MPI-4.0, 6.14 and 11.6.2). In the twin each has its own. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comm;

static void *sum(void *unused)
{
    int one = 1, total;
    MPI_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, comm); /* @thread-level? */
    return unused;
}

int main(int argc, char **argv)
{
    int level, value = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    comm = MPI_COMM_WORLD;
#ifdef TWIN
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
    pthread_create(&thread, NULL, sum, NULL);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @thread-level? */
    pthread_join(thread, NULL);
#ifdef TWIN
    MPI_Comm_free(&comm);
#endif
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
