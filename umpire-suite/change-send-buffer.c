/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffer of a pending Isend is written.
 */
/* Twin: the buffer is written after the wait. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
#ifdef TWIN
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        x = 2;
#else
        x = 2; /* @send-buffer-modified */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
