/* SPDX-License-Identifier: BSD-3-Clause */
/* On a row of ranks with open ends, rank 0 needs rank 1 only; rank 2 receives first what rank 0 sends afterwards. */
/* Twin: on a row of ranks with open ends, rank 2 receives after the exchange. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size = 3, open = 0, to[2], from[2] = {-1, -1}, more = -1;
    MPI_Comm row;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    to[0] = 10 * rank, to[1] = 10 * rank + 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &row);
#ifndef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, row, MPI_STATUS_IGNORE);
#endif
    MPI_Neighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, row); /* @unsafe-buffering */
    to[0] = to[1] = 99;
    if (rank == 0)
        MPI_Send(to, 1, MPI_INT, 2, 0, row);
#ifdef TWIN
    if (rank == 2)
        MPI_Recv(&more, 1, MPI_INT, 0, 0, row, MPI_STATUS_IGNORE);
#endif
    if (from[0] != (rank ? 10 * rank - 9 : -1) || from[1] != (rank < 2 ? 10 * rank + 10 : -1))
        exit(1);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
