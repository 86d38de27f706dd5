/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* incomplete: several threads of a rank call MPI */
/* As buffering_wildcard_ahead's correct form, but rank 2 calls MPI in two threads, whose order is not known when deadlocks with some sends
 * buffered and others not are sought (MPI-4.0, 3.5 and 11.6): the verdict says so. In the twin it has one thread. */
#include <mpi.h>
#include <pthread.h>

#ifndef TWIN
static void *send_late(void *unused)
{
    int late = 0;
    MPI_Send(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return unused;
}
#endif

int main(int argc, char **argv)
{
    int rank, level, value = 0;
    MPI_Status status;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
#ifdef TWIN
        int late = 0;
        MPI_Request request;
        MPI_Isend(&late, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
        pthread_t thread;
        pthread_create(&thread, NULL, send_late, NULL);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
#endif
    }
    MPI_Finalize();
    return 0;
}
