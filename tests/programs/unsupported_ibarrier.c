/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking barrier, which is not modelled yet. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Ibarrier(MPI_COMM_WORLD, &r); /* @unsupported */
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
