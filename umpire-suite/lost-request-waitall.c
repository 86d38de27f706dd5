/* SPDX-License-Identifier: BSD-3-Clause */
/* The count of Waitall is one too small. */
/* Twin: Waitall over all three. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[2]); /* @missing-wait */
#ifdef TWIN
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
#else
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
