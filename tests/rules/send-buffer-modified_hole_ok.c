/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies between the blocks of a type may be written, and what is sent may be read. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[4] = {1, 2, 3, 4}, y;
    MPI_Datatype even;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    if (rank == 0) {
        MPI_Isend(x, 1, even, 1, 0, MPI_COMM_WORLD, &request);
        x[1] = x[3] = 9;
        y = x[0] + x[2];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x[0] = y;
    } else {
        MPI_Irecv(x, 1, even, 0, 0, MPI_COMM_WORLD, &request);
        x[1] = x[3] = 9;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&even);
    MPI_Finalize();
}
