/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A grid that has more places than there are ranks. */
/* Twin: a grid for all but one of the ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    int dims[2] = {2, 1}, periods[2] = {0, 0};
#else
    int dims[2] = {2, 2}, periods[2] = {0, 0};
#endif
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); /* @invalid-argument */
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
