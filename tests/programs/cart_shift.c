/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of ranks that passes values to the right; its ends have neighbours MPI_PROC_NULL. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, rank, left, right, got = -1, periodic = 0;
    MPI_Comm row;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &row);
    MPI_Comm_rank(row, &rank);
    MPI_Cart_shift(row, 0, 1, &left, &right);
    if (rank % 2 == 0) {
        MPI_Send(&rank, 1, MPI_INT, right, 0, row); /* @deadlock */
        MPI_Recv(&got, 1, MPI_INT, left, 0, row, MPI_STATUS_IGNORE);
    } else {
#ifdef TWIN
        MPI_Recv(&got, 1, MPI_INT, left, 0, row, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&got, 1, MPI_INT, left, 1, row, MPI_STATUS_IGNORE); /* nobody sends with tag 1 */
#endif
        MPI_Send(&rank, 1, MPI_INT, right, 0, row);
    }
    if (got != rank - 1)
        exit(1);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
