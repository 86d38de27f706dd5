/* SPDX-License-Identifier: BSD-3-Clause */
/* The main thread waits for requests that its helpers have started, and frees one: what they called comes first. */
#include <mpi.h>
#include <pthread.h>

static MPI_Request requests[2], freed;
static int got[2] = {-1, -1}, lost = 5;
static pthread_barrier_t started;

static void *start(void *which)
{
    int i = *(int *)which;
    MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    if (i == 1)
        MPI_Isend(&lost, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &freed);
    pthread_barrier_wait(&started);
    return which;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {0, 1}, n;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_barrier_init(&started, NULL, 3);
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, start, &numbers[i]);
        pthread_barrier_wait(&started);
        MPI_Request_free(&freed);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return got[0] != 0 || got[1] != 1;
    }
    for (int i = 0; i < 2; i++)
        MPI_Send(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    MPI_Recv(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return n != 5;
}
