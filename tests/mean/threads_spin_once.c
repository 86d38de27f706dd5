/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=4 */
/* A thread of rank 3 computes for long in every other run, while another one waits in a receive: nothing tells
 * that from a thread that spins until another one has got somewhere, and the other ranks go on. That is no
 * deadlock when the thread calls MPI_Send after all, nor nondeterminism when it does so in time in the next
 * run. Its message may be the first (MPI-4.0, 3.5, and 11.6.1: threads make progress by themselves). */
/* interleavings 5, twin 6 */
#include "every_other.h"
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(void)
{
    double until_s = now_s() + (is_every_other("/tmp/isp_spin_once") ? 0.5 : 0);
    while (now_s() < until_s)
        ;
}

static void *hear(void *value)
{
    MPI_Recv(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, value = 0, heard;
    MPI_Status status;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE != 3); /* @assertion */
#endif
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Send(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
    } else if (rank == 3) {
        pthread_create(&thread, NULL, hear, &heard);
        compute();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
