/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates of duplicates, made without waiting; rank 0 forgets one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, got;
    MPI_Comm a, b, c;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_idup(MPI_COMM_WORLD, &a, &r[0]); /* @leak-communicator */
    MPI_Comm_idup(MPI_COMM_WORLD, &b, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Comm_idup(b, &c, r);
    MPI_Comm_free(&b);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, c);
    if (rank == 1)
        MPI_Recv(&got, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE);
    MPI_Comm_free(&c);
    MPI_Finalize();
    return 0;
}
