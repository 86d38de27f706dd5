/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 posts its receive, and then tells all but rank 2: in a broadcast whose root another rank is, and by a
 * standard send that rank 0 may receive later. So rank 2's ready send may start too early, in whatever order things happen. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, z = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r);
        MPI_Send(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&y, 1, MPI_INT, 2, MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Send(&z, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Rsend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @ready-send */
    }
    if (rank == 0) {
        MPI_Recv(&z, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
