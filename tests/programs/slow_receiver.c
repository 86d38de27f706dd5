/* SPDX-License-Identifier: BSD-3-Clause */
/* 10 000 messages in a row to a receiver that starts late. */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int k = 0; k < 10000; k++)
            MPI_Send(&k, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        for (int k = 0; k < 10000; k++)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
