/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 reads what it is to receive before MPI_Wait says that it has come. */
/* Twin: rank 1 reads what it is to receive when MPI_Wait has said that it has come. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        x = 7;
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += x - 7;
#else
        sum += x; /* @receive-buffer-accessed */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    return sum;
}
