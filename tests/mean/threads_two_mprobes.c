/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two threads take a message each by MPI_Mprobe: either of them may get the one of rank 1 (MPI-4.0, 3.8.2
 * and 11.6.1). In the twin each names its source. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *take(void *source)
{
    int number, from = MPI_ANY_SOURCE;
    MPI_Message message;
#ifdef TWIN
    from = *(int *)source;
#endif
    MPI_Mprobe(from, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    assert(number == *(int *)source); /* @assertion */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, sources[] = {1, 2};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, take, &sources[1]);
        take(&sources[0]);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */
