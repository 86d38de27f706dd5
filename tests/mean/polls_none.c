/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --polls=0 */
/* With --polls 0 no poll fails before it can succeed: that is not all. The twin has no poll. */
/* incomplete: with --polls 0 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifndef TWIN
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag)
#endif
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(flag);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
