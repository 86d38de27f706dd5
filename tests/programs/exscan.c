/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan and Exscan. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Scan(&rank, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&rank, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(rank == 0 || x == y + rank);
    MPI_Finalize();
    return 0;
}
