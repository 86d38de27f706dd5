/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent collective that nobody frees. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r); /* @leak-request */
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
