/* SPDX-License-Identifier: BSD-3-Clause */
/* The first match ends rank 0, before rank 2 has got so far as to send what would be the other one. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    v = rank;
    if (rank == 0) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(v != 1); /* @assertion */
        assert(v != 2); /* @assertion */
    } else if (rank == 2) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&v, 1, MPI_INT, rank == 1 ? 0 : 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
