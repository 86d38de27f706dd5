/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of rank 0 polls for a message, while another takes a message of its own from anyone; both end by a barrier of
 * the threads. The poll is told `not yet` once, or finds its message; two senders for the other: 2 * 2. */
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t both;

static void *poll_for_one(void *unused)
{
    int n, flag = 0;
    MPI_Request request;
    MPI_Irecv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&both);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&thread, NULL, poll_for_one, NULL);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_barrier_wait(&both);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
