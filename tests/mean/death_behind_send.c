/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --decentralized --buffering=zero */
/* Without buffers neither MPI_Send ends (MPI-4.0, 3.4), so rank 0 never comes to its assertion. MPI does
 * buffer so small a message: a rank that goes ahead comes there, and dies of it. That is not to be told. In
 * the twin rank 1 receives first, and rank 0 lives. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* @deadlock */
#ifndef TWIN
    assert(rank == 1);
    if (rank == 1)
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    if (rank == 0)
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
