/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two threads receive from any source: on one communicator either may get either message, on two they have
 * nothing to do with each other (MPI-4.0, 7.1.1 and 11.6.1). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comms[2];

static void *serve(void *source)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[*(int *)source - 1], MPI_STATUS_IGNORE);
    assert(number == *(int *)source); /* @assertion */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, sources[] = {1, 2};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[0] = comms[1] = MPI_COMM_WORLD;
#ifdef TWIN
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
#endif
    if (rank == 0) {
        pthread_create(&thread, NULL, serve, &sources[1]);
        serve(&sources[0]);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comms[rank - 1]);
    }
#ifdef TWIN
    MPI_Comm_free(&comms[1]);
#endif
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
