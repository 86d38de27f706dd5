/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 1 asks with MPI_Test for a receive that it has never started, is told that it is complete, and reads nothing. */
/* Twin: rank 1 starts the receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0, x[2] = {0, 0};
    MPI_Datatype pair;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 1) {
        MPI_Recv_init(x, 1, pair, 0, 0, MPI_COMM_WORLD, &r);
#ifdef TWIN
        MPI_Start(&r);
#endif
        while (!flag)
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE); /* @missing-start */
        MPI_Request_free(&r);
#ifdef TWIN
    } else {
        MPI_Send(x, 1, pair, 1, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
