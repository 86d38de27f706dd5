/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads wait for the same request, at MPI_THREAD_MULTIPLE: only one of them can complete it. */
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static void *wait_too(void *unused)
{
    MPI_Request same = request;
    MPI_Wait(&same, MPI_STATUS_IGNORE); /* @thread-level? */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, wait_too, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* @thread-level? */
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
