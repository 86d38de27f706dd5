/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The root is the number of ranks, which is one too many. */
/* Twin: the root is the last rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    MPI_Bcast(&x, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
#else
    MPI_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD); /* @invalid-root */
#endif
    MPI_Finalize();
    return 0;
}
