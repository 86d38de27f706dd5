/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that joins another one: isp has no other one. */
/* Twin: two halves of one program join each other: that is supported. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank;
    MPI_Comm mine, server;
#else
    MPI_Comm server = MPI_COMM_NULL;
#endif

    MPI_Init(&argc, &argv);
#ifdef TWIN
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &server);
    MPI_Comm_disconnect(&server);
    MPI_Comm_free(&mine);
#else
    MPI_Comm_connect("somewhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &server); /* @unsupported */
    MPI_Comm_disconnect(&server);
#endif
    MPI_Finalize();
    return 0;
}
