/* SPDX-License-Identifier: BSD-3-Clause */
/* The main thread sends, and then a thread that it has created before: a semaphore puts them in order, or (the program that fails)
 * comes too late (MPI-4.0, 3.5). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sent;

static void *hand_in(void *unused)
{
    int number = 2;
#ifdef TWIN
    sem_wait(&sent);
#endif
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, number = 1;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&sent, 0, 0);
    if (rank == 0) {
        pthread_create(&thread, NULL, hand_in, NULL);
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        sem_post(&sent);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(number == 1); /* @assertion */
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
