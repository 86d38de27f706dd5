/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 does in every other run something else: a counter in the file argv[1] decides. */
/* Twin: a counter in the file argv[1] changes what is computed, not what is called. */
#include <mpi.h>
#include <stdio.h>

/* How often this has been called with the same file, over all runs. */
static int times_called(const char *path)
{
    FILE *file = fopen(path, "a");
    long times;

    if (!file)
        return 0;
    fputc('x', file);
    times = ftell(file);
    fclose(file);
    return (int)times;
}

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
#ifdef TWIN
        x = argc < 2 ? 0 : times_called(argv[1]);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
        if (argc < 2 || times_called(argv[1]) % 2)
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @nondeterminism? */
        else
            MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @nondeterminism? */
#endif
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
