/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Four rows are sent, and three are received. */
/* Twin: three rows are sent and received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[4][4] = { {0} };
    MPI_Datatype row;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
#ifdef TWIN
    for (int i = 0; i < 3 && rank == 0; i++)
#else
    for (int i = 0; i < 4 && rank == 0; i++)
#endif
        MPI_Send(a[i], 1, row, 1, i, MPI_COMM_WORLD); /* @lost-message */
    for (int i = 0; i < 3 && rank == 1; i++)
        MPI_Recv(a[i], 1, row, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
