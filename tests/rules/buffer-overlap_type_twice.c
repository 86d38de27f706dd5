/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive type names the same int twice. */
/* Twin: the receive type names two ints. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, x[2] = {1, 2}, displs[2] = {0, 1};
#else
    int rank, x[2] = {1, 2}, displs[2] = {0, 0};
#endif
    MPI_Datatype both;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_indexed_block(2, 1, displs, MPI_INT, &both);
    MPI_Type_commit(&both);
    if (rank == 0)
        MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(x, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @buffer-overlap */
    MPI_Type_free(&both);
    MPI_Finalize();
}
