/* SPDX-License-Identifier: BSD-3-Clause */
/* Only one of two Isends is waited for; the other waits in an array that is not looked at again. */
/* Twin: both are waited for, one after the other. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[1]); /* @missing-wait */
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
