/* SPDX-License-Identifier: BSD-3-Clause */
/* The sub-communicator of a topology is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[] = {2, 1}, periods[] = {0, 0}, keep[] = {0, 1};
    MPI_Comm grid, row;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &row); /* @leak-communicator */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
