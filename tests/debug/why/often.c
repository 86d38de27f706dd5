/* SPDX-License-Identifier: BSD-3-Clause */
/* Changed many times in a loop; the last change counts. */
/* @ask 2: focus 1; why seen; why */
#include <mpi.h>

#ifndef TIMES
#define TIMES 2000
#endif

int main(int argc, char **argv)
{
    int rank, sum = 0, seen = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < TIMES && rank == 0; i++)
        sum += 1 + i % 2;
    if (rank == 0) {
        sum -= 5; /* @wrong 0 */
        MPI_Send(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return seen == 1;
}
