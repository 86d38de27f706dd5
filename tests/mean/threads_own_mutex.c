/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads send under mutexes, but each has its own, which puts nothing in order (MPI-4.0, 3.5): each message
 * may come first, and both orders are run. In the twin the messages have tags. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutexes[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counts[2];

static void *hand_in(void *number)
{
    int n = *(int *)number, tag = 0;
#ifdef TWIN
    tag = n;
#endif
    pthread_mutex_lock(&mutexes[n]);
    counts[n]++;
    pthread_mutex_unlock(&mutexes[n]);
    pthread_mutex_lock(&mutexes[n]);
    MPI_Send(&n, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutexes[n]);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {0, 1}, tags[] = {0, 0};
    pthread_t thread;

#ifdef TWIN
    tags[1] = 1;
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, hand_in, &numbers[1]);
        hand_in(&numbers[0]);
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&numbers[i], 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(numbers[0] == 0); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
