/* SPDX-License-Identifier: BSD-3-Clause */
/* A type sent on one side, its elements received on the other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {0, 0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &type);
    if (rank == 0) {
        MPI_Type_commit(&type);
        MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
