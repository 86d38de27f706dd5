/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* The root is named by its rank in MPI_COMM_WORLD. */
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
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, rank < 2 ? 1 : 3, half); /* @invalid-root */
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
