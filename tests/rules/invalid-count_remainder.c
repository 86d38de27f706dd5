/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The last rank sends the rest of ten elements, which it has computed wrong. */
/* Twin: the last rank sends the rest of ten elements. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[10] = {0}, share = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    int n = rank < 2 ? share : 10 - 2 * share;
#else
    int n = rank < 2 ? share : 10 - 3 * share;
#endif
    if (rank > 0)
        MPI_Send(x, n, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @invalid-count */
    else
        for (int i = 1; i < 3; i++)
            MPI_Recv(x, 10, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
