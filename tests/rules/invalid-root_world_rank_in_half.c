/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* The root is named by its rank in MPI_COMM_WORLD. */
/* Twin: the root is named by its rank in the communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int sum;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
#ifdef TWIN
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, half);
#else
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, rank < 2 ? 1 : 3, half); /* @invalid-root */
#endif
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
