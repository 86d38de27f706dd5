/* SPDX-License-Identifier: BSD-3-Clause */
/* Two persistent receives share a buffer, and both are active. */
/* Twin: two persistent receives share a buffer, and are active in turn. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Recv_init(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Start(&r[0]);
#ifdef TWIN
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Start(&r[1]);
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
#else
        MPI_Start(&r[1]); /* @buffer-overlap */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#endif
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
    }
    MPI_Finalize();
}
