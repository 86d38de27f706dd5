/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Ranks that are in no row ask for their rank in it all the same. */
/* Twin: ranks that are in no row do not ask for their rank in it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int place = -1;
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &row);
#ifdef TWIN
    if (row != MPI_COMM_NULL)
        MPI_Comm_rank(row, &place);
#else
    MPI_Comm_rank(row, &place); /* @invalid-communicator */
#endif
    if (row != MPI_COMM_NULL)
        MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
