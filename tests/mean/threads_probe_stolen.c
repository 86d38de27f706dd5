/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI_Probe has found another thread may receive before this one does; MPI_Mprobe takes it (MPI-4.0, 3.8.3). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void take(void)
{
    int n;
#ifdef TWIN
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&n, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
#else
    int numbers[2];
    MPI_Status status;
    MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(numbers, n, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation */
#endif
}

static void *helper(void *unused)
{
    take();
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[2] = {0};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(numbers, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Send(numbers, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#else
        MPI_Send(numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
    } else {
        pthread_create(&thread, NULL, helper, NULL);
        take();
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings twin 2 */
