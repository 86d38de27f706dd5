/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The second thread sends when rank 2 has told it to; that has nothing to do with the first one, whose message may still come later
 * (MPI-4.0, 3.5). In the twin it is the first thread that makes rank 2 tell it. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *when_told(void *unused)
{
    int number;
    MPI_Recv(&number, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    number = 2;
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, number = 1;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, when_told, NULL);
        MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Send(&number, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#endif
        pthread_join(thread, NULL);
    } else if (rank == 1) {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(number == 1); /* @assertion */
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
#ifdef TWIN
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
