/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes no part in the new communicator. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &comm);
    assert((comm == MPI_COMM_NULL) == (rank == 1));
    if (comm != MPI_COMM_NULL) {
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
