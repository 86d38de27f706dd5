/* SPDX-License-Identifier: BSD-3-Clause */
/* A type whose lower bound is not where its data are, also with a negative displacement. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2}, y[2] = {0}, one = 1;
    MPI_Aint back = -(MPI_Aint)sizeof(int);
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hindexed(1, &one, &back, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Send(&x[1], 1, type, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&y[1], 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(y[0] == 1 && y[1] == 0);
    }
    MPI_Bcast(&x[1], 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
