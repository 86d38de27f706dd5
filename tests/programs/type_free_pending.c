/* SPDX-License-Identifier: BSD-3-Clause */
/* A type is freed while operations that use it are pending. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[3] = {1, 2, 3};
    MPI_Datatype type;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Irecv(x, 1, type, 1, 0, MPI_COMM_WORLD, &r);
    } else {
        MPI_Isend(x, 1, type, 0, 0, MPI_COMM_WORLD, &r);
    }
    MPI_Type_free(&type);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
