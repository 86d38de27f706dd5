/* SPDX-License-Identifier: BSD-3-Clause */
/* The same with the clock of the C library, and a request. */
/* incomplete: the program asks the time, looks elsewhere, or has too much memory to compare (MPI_Test in main at */
#include <assert.h>
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0;
    MPI_Request request;
    struct timespec start, now;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        clock_gettime(CLOCK_MONOTONIC, &start);
        now = start;
        while (!flag && now.tv_sec < start.tv_sec + 100) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#ifndef TWIN
            clock_gettime(CLOCK_MONOTONIC, &now);
#endif
        }
        assert(flag);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
