/* SPDX-License-Identifier: BSD-3-Clause */
/* The main thread of rank 0 finalizes while another thread still waits for a message that nobody sends. */
#include <mpi.h>
#include <pthread.h>

static void *wait_for_one(void *unused)
{
    int n;
    MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @deadlock */
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        pthread_create(&thread, NULL, wait_for_one, NULL);
    MPI_Finalize();
    return 0;
}
