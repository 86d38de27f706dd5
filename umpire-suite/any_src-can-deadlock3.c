/* SPDX-License-Identifier: BSD-3-Clause */
/* Both receives are pending when one Waitall waits for them; the wildcard was posted first. */
/* Twin: the named receive is posted first: the message of rank 2 belongs to it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[1]);
#else
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* @deadlock */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
