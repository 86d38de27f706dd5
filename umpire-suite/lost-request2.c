/* SPDX-License-Identifier: BSD-3-Clause */
/* Two receives share one request variable, so the first is never waited for. */
/* Twin: each receive has its own request. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
#ifdef TWIN
    MPI_Request r, s;
#else
    MPI_Request r;
#endif

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
#ifdef TWIN
        MPI_Irecv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &s);
        MPI_Wait(&s, MPI_STATUS_IGNORE);
#else
        MPI_Irecv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* @request-reuse */
#endif
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
