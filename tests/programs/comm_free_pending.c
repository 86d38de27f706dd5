/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is freed while operations on it are pending. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y;
    MPI_Request r[2];
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, dup, &r[0]);
    MPI_Isend(&x, 1, MPI_INT, 1 - rank, 0, dup, &r[1]);
    MPI_Comm_free(&dup);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
