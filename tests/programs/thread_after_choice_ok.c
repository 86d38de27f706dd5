/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 has a second thread only between its first choice and its last: then it cannot be kept as a checkpoint. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *wait_for_byte(void *pipe_end)
{
    char byte;
    return read(*(int *)pipe_end, &byte, 1) == 1 ? NULL : pipe_end;
}

int main(int argc, char **argv)
{
    int rank, value, ends[2];
    pthread_t thread;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (pipe(ends) != 0 || pthread_create(&thread, NULL, wait_for_byte, &ends[0]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (write(ends[1], "", 1) != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
