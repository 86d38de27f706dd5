/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_COMM_SELF and a half of the world at the same time. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, 0, &half);
    MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, half);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
