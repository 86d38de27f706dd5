/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads poll one partitioned receive at the same time, each for its own partitions. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 2, PER_THREAD = 1, PARTITIONS = THREADS * PER_THREAD, ROUNDS = 1 };

static int data[PARTITIONS], round_;
static MPI_Request request;

static void *await(void *first)
{
    for (int *at = first; at < (int *)first + PER_THREAD; at++) {
        int partition = (int)(at - data), there = 0;
        while (!there)
            MPI_Parrived(request, partition, &there);
        assert(*at == partition + round_);
    }
    return NULL;
}

static void *fill(void *first)
{
    int low = (int)((int *)first - data);
    for (int i = low; i < low + PER_THREAD; i++)
        data[i] = i + round_;
    MPI_Pready_range(low, low + PER_THREAD - 1, request);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level;
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(data, PARTITIONS, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(data, PARTITIONS, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (round_ = 0; round_ < ROUNDS; round_++) {
        MPI_Start(&request);
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, rank == 0 ? fill : await, &data[i * PER_THREAD]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
