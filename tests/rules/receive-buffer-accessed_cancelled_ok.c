/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive that was cancelled has given its buffer back, and a status that says complete has too. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, flag = 0;
    MPI_Request request;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &pair);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 7, pair, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x = 2;
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, pair, &request);
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        x = 3;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, pair);
    }
    MPI_Comm_free(&pair);
    MPI_Finalize();
}
