/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking barrier does not match a blocking one (MPI-4.0, section 6.12). */
/* Twin: both call the nonblocking barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &r); /* @collective-mismatch */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
#ifdef TWIN
        MPI_Ibarrier(MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#else
        MPI_Barrier(MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
