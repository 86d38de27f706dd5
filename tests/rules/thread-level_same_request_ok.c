/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads wait, each for a request of its own, at MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <pthread.h>

static MPI_Request request, other;

static void *wait_too(void *unused)
{
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0, m = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Irecv(&m, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &other);
        pthread_create(&thread, NULL, wait_too, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&m, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
