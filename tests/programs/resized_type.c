/* SPDX-License-Identifier: BSD-3-Clause */
/* Every other int by a resized type. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[4] = {1, 2, 3, 4}, y[4] = {0};
    MPI_Datatype wide;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &wide);
    MPI_Type_commit(&wide);
    if (rank == 0) {
        MPI_Send(x, 2, wide, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(y, 2, wide, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(y[0] == 1 && y[1] == 0 && y[2] == 3 && y[3] == 0);
    }
    MPI_Type_free(&wide);
    MPI_Finalize();
    return 0;
}
