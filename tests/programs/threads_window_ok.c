/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads access a window for longer than the time-out, and nothing else is called meanwhile. That is no hang. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 2 };
static const double SECONDS = 4; /* expected.toml has a shorter time-out */

static MPI_Win win;

static void *put(void *unused)
{
    static const int one = 1;
    double began = MPI_Wtime();
    while (MPI_Wtime() - began < SECONDS) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        usleep(10000);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, *memory;
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; rank == 1 && i < THREADS; i++)
        pthread_create(&threads[i], NULL, put, NULL);
    for (int i = 0; rank == 1 && i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
