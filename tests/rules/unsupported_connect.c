/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that joins another one: isp has no other one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm server = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_connect("somewhere", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &server); /* @unsupported */
    MPI_Comm_disconnect(&server);
    MPI_Finalize();
    return 0;
}
