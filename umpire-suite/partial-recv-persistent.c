/* SPDX-License-Identifier: BSD-3-Clause */
/* Two persistent receives are started for each message that comes. */
/* Twin: two persistent receives, of which one is started for the one message that comes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Recv_init(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[1]);
#ifdef TWIN
        MPI_Start(&r[0]);
#else
        MPI_Startall(2, r);
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* @deadlock */
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
