/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that only polls, naps, and asks MPI for what it knows: how often a poll fails leads nowhere else, so one failure is enough. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0, size = 2;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!flag) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            MPI_Comm_size(MPI_COMM_WORLD, &size);
            usleep(10);
            sched_yield();
        }
#ifndef TWIN
        assert(value == 0); /* @assertion */
#endif
    } else {
        value = 1;
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
