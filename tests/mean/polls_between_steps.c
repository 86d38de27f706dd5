/* SPDX-License-Identifier: BSD-3-Clause */
/* A request is tested between the steps of something else. It may be complete in any of them, and in none (MPI-4.0, 3.7.3). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0, other = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int step = 0; step < 4; step++) {
            if (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            MPI_Sendrecv_replace(&other, 1, MPI_INT, 1, 1, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
#ifndef TWIN
        assert(flag); /* @assertion */
#endif
        if (!flag)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        for (int step = 0; step < 4; step++)
            MPI_Sendrecv_replace(&other, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
