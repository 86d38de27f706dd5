/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that isp has not started are not part of what it verifies. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm children;

    MPI_Init(&argc, &argv);
    MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE); /* @unsupported */
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
}
