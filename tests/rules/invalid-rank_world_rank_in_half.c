/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* A rank of MPI_COMM_WORLD is named in a communicator of half of its ranks. */
/* Twin: the rank is translated to that of the smaller communicator. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0, to;
    MPI_Comm half;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
#ifdef TWIN
    to = (rank ^ 1) % 2;
#else
    to = rank ^ 1;
#endif
    MPI_Isend(&rank, 1, MPI_INT, to, 0, half, &request); /* @invalid-rank */
    MPI_Recv(&x, 1, MPI_INT, 1 - rank % 2, 0, half, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
