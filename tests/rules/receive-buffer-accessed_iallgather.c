/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive buffer of a pending collective is written. */
/* Twin: the receive buffer is written when the collective is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine = 1, all[2] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    all[0] = 8;
#else
    all[0] = 8; /* @receive-buffer-accessed */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
}
