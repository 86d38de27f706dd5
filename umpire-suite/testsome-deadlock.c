/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Testsome is asked for ever: rank 1 sends with another tag, and waits for it to be received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0;
    MPI_Request r[1];
    int index;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[0]);
        while (!flag)
            MPI_Testsome(1, r, &flag, &index, MPI_STATUSES_IGNORE); /* @livelock */
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
