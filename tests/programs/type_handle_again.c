/* SPDX-License-Identifier: BSD-3-Clause */
/* The handle of a freed type comes again, for another type: what was known of the first must be forgotten. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[8] = {0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Type_contiguous(4, i == 0 || rank == 0 ? MPI_INT : MPI_FLOAT, &type);
        MPI_Type_commit(&type);
        if (rank == 0)
            MPI_Send(x, 1, type, 1, i, MPI_COMM_WORLD);
        else if (i == 0)
            MPI_Recv(x, 1, type, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Recv(x, 1, type, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @type-mismatch */
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
