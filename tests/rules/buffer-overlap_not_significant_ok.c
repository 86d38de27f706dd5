/* SPDX-License-Identifier: BSD-3-Clause */
/* What is not significant on a rank is no buffer: here the receive buffers of all but the root. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2}, sum[2];
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ireduce(x, rank == 0 ? sum : x, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Igather(x, 1, MPI_INT, rank == 1 ? sum : x, 1, MPI_INT, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
