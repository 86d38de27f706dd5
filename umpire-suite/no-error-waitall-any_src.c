/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank posts a wildcard receive, sends, and waits with MPI_Waitall. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_Request r[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
