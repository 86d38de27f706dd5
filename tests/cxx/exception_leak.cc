// SPDX-License-Identifier: BSD-3-Clause
// An exception leaves the block before its communicator is freed.
#include <mpi.h>
#include <stdexcept>

static void work(int rank)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); // @leak-communicator
    if (rank >= 0)
        throw std::logic_error("no");
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        work(rank);
    } catch (const std::logic_error &) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
