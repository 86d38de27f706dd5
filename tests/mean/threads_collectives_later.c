/* SPDX-License-Identifier: BSD-3-Clause */
/* The second thread's collective comes when rank 1 has sent it a message, long after the first one's; but not because of it. Only if the
 * first thread waits that long do the two meet (MPI-4.0, 6.14 and 11.6.2). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static pthread_t thread;

static void *when_told(void *unused)
{
    MPI_Request request;
    MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request); /* @thread-level? */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Request requests[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, when_told, NULL);
#ifdef TWIN
        pthread_join(thread, NULL);
#endif
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]); /* @thread-level? */
#ifndef TWIN
        pthread_join(thread, NULL);
#endif
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
