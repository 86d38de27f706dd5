// SPDX-License-Identifier: BSD-3-Clause
// An exception that nobody catches, in one of two orders of messages.
#include <mpi.h>
#include <stdexcept>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, got;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got == 2)
            throw std::runtime_error("rank 2 was first"); // @crash
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
