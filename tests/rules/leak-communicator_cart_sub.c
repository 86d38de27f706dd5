/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* The rows of a grid are never freed, on any rank. */
/* Twin: rows and grid are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int dims[] = {2, 2}, wraps[] = {0, 1}, keep[] = {0, 1}, x = 1;
    MPI_Comm grid, row;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wraps, 0, &grid);
    MPI_Cart_sub(grid, keep, &row); /* @leak-communicator */
    MPI_Bcast(&x, 1, MPI_INT, 0, row);
    MPI_Comm_free(&grid);
#ifdef TWIN
    MPI_Comm_free(&row);
#endif
    MPI_Finalize();
    return 0;
}
