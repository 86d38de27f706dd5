/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks probe until the other has sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (!flag)
        MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* @livelock */
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
