/* SPDX-License-Identifier: BSD-3-Clause */
/* A message goes to whichever of two threads is first; the other waits for one that only the first would make rank 1 send
 * (MPI-4.0, 3.5). In the twin both are sent in any case. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *take(void *unused)
{
    int n;
    MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, take, NULL);
        MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock? */
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
