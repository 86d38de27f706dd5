/* SPDX-License-Identifier: BSD-3-Clause */
/* A request that one thread starts, and another one waits for: allowed, as long as only one waits. C11 threads. */
#include <mpi.h>
#include <threads.h>

static MPI_Request request;
static int got = -1;

static int finish(void *unused)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return got;
}

int main(int argc, char **argv)
{
    int rank, level, n = 7, result = 7;
    thrd_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        thrd_create(&thread, finish, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        thrd_join(thread, &result);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return result != 7;
}
