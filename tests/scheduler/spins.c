/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank leaves a file, argv[1] and its rank, and computes for ever; with an argv[2] it has so many
 * interleavings that it could as well. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, value;
    char name[4096];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    fclose(fopen(name, "w"));
    for (int round = 0; argc > 2 && round < 40; round++)
        if (rank == 0)
            for (int i = 1; i < size; i++)
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    while (argc <= 2)
        usleep(10000);
    MPI_Finalize();
    return 0;
}
