/* SPDX-License-Identifier: BSD-3-Clause */
/* The leaders do not name each other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm side, inter;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int odd = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, odd ? 2 : 1, 3, &inter); /* @deadlock */
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
