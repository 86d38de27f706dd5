/* SPDX-License-Identifier: BSD-3-Clause */
/* Which thread gets the mutex first decides what each of them sends, though no MPI call is made under it. In
 * which order that happens is not decided by isp, and it says so (MPI-4.0, 11.6: the threads of a process are
 * the program's). In the twin the first thread is over before the second one begins. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next;

static void *work(void *tag)
{
    pthread_mutex_lock(&mutex);
    int item = next++;
    pthread_mutex_unlock(&mutex);
    MPI_Send(&item, 1, MPI_INT, 1, *(int *)tag, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, tags[] = {0, 1}, items[2];
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            pthread_create(&threads[i], NULL, work, &tags[i]);
#ifdef TWIN
            pthread_join(threads[i], NULL);
#endif
        }
#ifndef TWIN
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
#endif
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&items[i], 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(items[0] + items[1] == 1);
    }
    MPI_Finalize();
    return 0;
}
/* incomplete: one order was run in which threads get a mutex before they call MPI: MPI_Send at */
/* interleavings 1, twin 1 */
