/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread polls a window for what no rank ever writes, while the main thread waits for it. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static MPI_Win win;

static void *poll_(void *unused)
{
    int value = 0;
    while (!value) {
        MPI_Fetch_and_op(NULL, &value, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, *memory;
    pthread_t poller;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        pthread_create(&poller, NULL, poll_, NULL);
        pthread_join(poller, NULL); /* @hang? */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
