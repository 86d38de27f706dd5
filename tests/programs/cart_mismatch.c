/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank makes a grid, the others a graph. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, periodic = 0, index[] = {1, 2, 2}, edges[] = {1, 0};
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 1)
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm); /* @collective-mismatch */
    else
        MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
