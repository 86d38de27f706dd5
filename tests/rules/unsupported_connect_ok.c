/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves of one program join each other: that is supported. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm mine, server;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &server);
    MPI_Comm_disconnect(&server);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
