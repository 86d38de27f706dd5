/* SPDX-License-Identifier: BSD-3-Clause */
/* The receives of these ready sends are posted for certain: rank 2 hears of it by rank 1's broadcast, of a persistent receive
 * by a barrier, and of one of its own, since it is its own; and the last by a message that a wildcard takes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, own = 0;
    MPI_Request r, own_r, persistent;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv_init(&y, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &persistent);
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r);
        MPI_Send(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&y, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Rsend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Start(&persistent);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Rsend(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Irecv(&own, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &own_r);
    MPI_Rsend(&rank, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
    MPI_Wait(&own_r, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        MPI_Request_free(&persistent);
        for (int i = 0; i < 2; i++) {
            MPI_Status status;
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
            MPI_Irecv(&y, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD, &r);
            MPI_Send(&x, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
