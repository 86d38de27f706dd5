/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which message came first, and deadlocks if that is the one of rank 2; before that, odd bytes and more
 * than isp keeps. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("first came %d\n", first);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 2) {
            fwrite("zero\0 escape\033 byte\xff\n", 1, 20, stdout);
            for (int i = 0; i < 100000; i++)
                fputs("x", stdout);
            fflush(stdout);
            MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
