/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank leaves a file, argv[1] and its rank, and computes for ever. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    char name[4096];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    fclose(fopen(name, "w"));
    for (;;)
        usleep(10000);
}
