/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has it from its table, rank 0 tells all of it, one member of a structure. */
/* @ask 3: focus 2; why limits.high; why; why */
#include <mpi.h>

struct limits {
    int low, high;
};

int main(int argc, char **argv)
{
    int rank, table[4] = {0};
    struct limits limits = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; i++)
        table[i] = i * i - 8; /* @wrong 1 */
    if (rank == 1)
        MPI_Send(&table[2], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&limits.high, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&limits, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return limits.high > 0;
}
