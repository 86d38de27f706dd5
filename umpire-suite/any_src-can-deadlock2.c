/* SPDX-License-Identifier: BSD-3-Clause */
/* As any_src-can-deadlock, with nonblocking receives, each waited for at once. */
/* Twin: the named receive comes first, so that the wildcard gets what is left. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Request r, s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
#else
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Irecv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &s);
#endif
        MPI_Wait(&s, MPI_STATUS_IGNORE); /* @deadlock */
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
