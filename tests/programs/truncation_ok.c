/* SPDX-License-Identifier: BSD-3-Clause */
/* One int into a receive for two. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2}, count;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        assert(count == 1);
    }
    MPI_Finalize();
    return 0;
}
