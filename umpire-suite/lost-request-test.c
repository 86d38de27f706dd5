/* SPDX-License-Identifier: BSD-3-Clause */
/* Test is asked once and its answer ignored: if it was *not yet*, the request is lost. */
/* Twin: if Test says not yet, Wait completes it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* @missing-wait */
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
#ifdef TWIN
        if (!flag)
            MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
