/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A message of a derived type is taken by MPI_Improbe in a loop, and never received. */
/* Twin: it is received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0, x[2] = {1, 2};
    MPI_Message message;
    MPI_Datatype pair;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Isend(x, 1, pair, 1, 0, MPI_COMM_WORLD, &r);
        MPI_Request_free(&r);
    } else {
        while (!flag)
            MPI_Improbe(0, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE); /* @leak-message */
#ifdef TWIN
        MPI_Mrecv(x, 1, pair, &message, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
