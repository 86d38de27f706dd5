/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Between two groups: the even ranks give two numbers each, the odd ones one; rank 3 takes one of each. */
/* Twin: between two groups: the even ranks give two numbers each, the odd ones one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine[2] = {1, 2}, all[4];
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
#ifdef TWIN
    int given = rank % 2 ? 1 : 2, taken = rank % 2 ? 2 : 1;
#else
    int given = rank % 2 ? 1 : 2, taken = rank == 3 ? 1 : rank % 2 ? 2 : 1;
#endif
    MPI_Allgather(mine, given, MPI_INT, all, taken, MPI_INT, both); /* @type-mismatch */
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
