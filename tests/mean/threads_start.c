/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent sends that two threads start: as concurrent as other messages (MPI-4.0, 3.5 and 3.9). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static MPI_Request requests[2];

static void *start(void *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2}, tag = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    tag = 1;
#endif
    if (rank == 0) {
        MPI_Send_init(&numbers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Send_init(&numbers[1], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[1]);
        pthread_create(&thread, NULL, start, &requests[0]);
        start(&requests[1]);
        pthread_join(thread, NULL);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    } else {
        MPI_Recv(&numbers[1], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&numbers[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(numbers[1] == 2); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
