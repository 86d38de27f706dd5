/* SPDX-License-Identifier: BSD-3-Clause */
/* A condition variable puts two messages in order only if the second thread waits for it (MPI-4.0, 3.5):
 * it does in the twin. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool sent;

static void *hand_in(void *number)
{
#ifdef TWIN
    pthread_mutex_lock(&mutex);
    while (!sent)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
#endif
    MPI_Send(number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, hand_in, &numbers[1]);
        MPI_Send(&numbers[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        pthread_mutex_lock(&mutex);
        sent = true;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&numbers[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(numbers[0] == 1); /* @assertion */
        MPI_Recv(&numbers[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
