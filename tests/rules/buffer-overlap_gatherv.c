/* SPDX-License-Identifier: BSD-3-Clause */
/* The root takes two pieces of two ints each, one int apart. */
/* Twin: the root takes two pieces of two ints each, side by side. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, mine[2] = {1, 2}, all[4], counts[2] = {2, 2}, displs[2] = {0, 2};
#else
    int rank, mine[2] = {1, 2}, all[4], counts[2] = {2, 2}, displs[2] = {0, 1};
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(mine, 2, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD); /* @buffer-overlap */
    MPI_Finalize();
}
