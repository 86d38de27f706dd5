/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads receive alike; the one that gets the order to stop, whichever it is, must not be the one that the other waits for
 * (MPI-4.0, 3.5: which of two concurrent receives is first is not defined). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

enum { WORK, STOP };

static void *serve(void *unused)
{
    int order;
    MPI_Recv(&order, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
    if (order == WORK)
#endif
        MPI_Send(&order, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, orders[] = {WORK, STOP};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Send(&orders[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&orders[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        pthread_create(&thread, NULL, serve, NULL);
#ifdef TWIN
        serve(NULL);
#else
        MPI_Recv(orders, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(orders[0] == WORK); /* @assertion */
#endif
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
