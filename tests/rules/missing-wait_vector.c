/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 0 waits for the first of two messages of a strided type, and frees the type: that does not end the other. */
/* Twin: rank 0 waits for both. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[4] = {1, 2, 3, 4};
    MPI_Datatype column;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Issend(&x[0], 1, column, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Issend(&x[1], 1, column, 1, 1, MPI_COMM_WORLD, &r[1]); /* @missing-wait */
#ifdef TWIN
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#else
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&x[0], 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x[1], 1, column, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
