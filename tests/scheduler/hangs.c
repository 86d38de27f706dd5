/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 hangs outside MPI if the message of rank 2 comes first: always, or only until the file that is named
 * exists. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void hang(const char *unless)
{
    if (unless && access(unless, F_OK) == 0)
        return;
    if (unless)
        fclose(fopen(unless, "w"));
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    int rank, first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 2)
            hang(argv[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
