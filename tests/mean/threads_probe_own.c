/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread probes for what comes from rank 1, while another one sends to their own rank: the probe may
 * find that (MPI-4.0, 3.8.1 and 11.6.1). In the twin the probe names its source. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *note(void *number)
{
    MPI_Send(number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, number = 1, got, source = MPI_ANY_SOURCE;
    pthread_t thread;
    MPI_Status status;

#ifdef TWIN
    source = 1;
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, note, &number);
        MPI_Probe(source, 0, MPI_COMM_WORLD, &status);
        assert(status.MPI_SOURCE == 1); /* @assertion */
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
