/* SPDX-License-Identifier: BSD-3-Clause */
/* A 0 comes into a variable that was 0: the message is told all the same, and the line that did not change
 * it is not. */
/* @ask 3: focus 2; why seen; why; why */
/* @says nobody has changed it since MPI_Init */
#include <mpi.h>

static double table[4], seen;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4 && rank == 0; i++)
        table[i] = 0;
    if (rank == 0)
        MPI_Send(&table[2], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(&seen, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&seen, 1, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return seen > 0;
}
