/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 writes a file (argv[1]), takes a message from anyone, and then reads the file, appends to it and removes it: the next interleaving must find it as this one
 * did, though a checkpoint does not bring it back. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *file = fopen(argv[1], "w");
        assert(file && fprintf(file, "%d\n", 42) > 0);
        fclose(file);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        file = fopen(argv[1], "r");
        assert(file && fscanf(file, "%d", &value) == 1 && value == 42);
        assert(fscanf(file, "%d", &value) == EOF);
        fclose(file);
        file = fopen(argv[1], "a");
        assert(file && fprintf(file, "%d\n", 43) > 0);
        fclose(file);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(remove(argv[1]) == 0);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
