/* SPDX-License-Identifier: BSD-3-Clause */
/* Both split. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
