/* SPDX-License-Identifier: BSD-3-Clause */
/* A semaphore that begins with one is a mutex: which of two threads gets it first is not decided by isp,
 * so it does not show that the second number may come first, and says so (MPI-4.0, 3.5). In the twin the
 * messages have tags. Both receives are posted before either is waited for: whoever sends first is taken. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t one_at_a_time;

static void *hand_in(void *number)
{
    int tag = 0;
#ifdef TWIN
    tag = *(int *)number;
#endif
    sem_wait(&one_at_a_time);
    MPI_Send(number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    sem_post(&one_at_a_time);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2}, tags[] = {0, 0};
    MPI_Request requests[2];
    pthread_t thread;

#ifdef TWIN
    tags[0] = 1, tags[1] = 2;
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&one_at_a_time, 0, 1);
    if (rank == 0) {
        pthread_create(&thread, NULL, hand_in, &numbers[1]);
        hand_in(&numbers[0]);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&numbers[i], 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        assert(numbers[0] < 3);
    }
    MPI_Finalize();
    return 0;
}
/* incomplete: one order was run in which threads get a mutex around MPI calls that compete: MPI_Send at */
/* interleavings 1, twin 1 */
