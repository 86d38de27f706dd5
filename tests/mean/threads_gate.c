/* SPDX-License-Identifier: BSD-3-Clause */
/* A semaphore lets two threads go on, and puts nothing in order between them: each of the messages may be
 * first (MPI-4.0, 3.5). In the twin the main thread waits for the first message before it sends the second
 * one. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate, behind;

static void *hand_in(void *number)
{
    sem_wait(&gate);
    MPI_Send(number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
    sem_post(&behind);
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2};
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&gate, 0, 0);
    sem_init(&behind, 0, 0);
    if (rank == 0) {
#ifdef TWIN
        pthread_create(&threads[0], NULL, hand_in, &numbers[0]);
        sem_post(&gate);
        sem_wait(&behind);
        MPI_Send(&numbers[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_join(threads[0], NULL);
#else
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, hand_in, &numbers[i]);
        for (int i = 0; i < 2; i++)
            sem_post(&gate);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
#endif
    } else {
        MPI_Recv(&numbers[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(numbers[0] == 1); /* @assertion */
        MPI_Recv(&numbers[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
