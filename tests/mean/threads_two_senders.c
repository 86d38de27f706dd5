/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads send to one rank with one tag: their messages are concurrent, and any may be first (MPI-4.0, 3.5). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *hand_in(void *number)
{
#ifdef TWIN
    MPI_Send(number, 1, MPI_INT, 1, *(int *)number, MPI_COMM_WORLD);
#else
    MPI_Send(number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2}, got[2];
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_create(&threads[i], NULL, hand_in, &numbers[i]);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_join(threads[i], NULL);
    if (rank == 1) {
        int first = 0, second = 0;
#ifdef TWIN
        first = 1, second = 2;
#endif
        MPI_Recv(&got[0], 1, MPI_INT, 0, first, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got[1], 1, MPI_INT, 0, second, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got[0] == 1 && got[1] == 2); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
