/* SPDX-License-Identifier: BSD-3-Clause */
/* Two mistakes, in one line of the same function: the tags tell them apart. If rank 3 comes first all is well. */
#include <mpi.h>

static int take(int source, int tag)
{
    int x;
    MPI_Status status;
    MPI_Recv(&x, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status); /* @deadlock */
    return status.MPI_SOURCE;
}

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int first = take(MPI_ANY_SOURCE, 0);
        if (first < 3)
            take(first, first);
        for (int i = 1; i < 3; i++)
            take(MPI_ANY_SOURCE, 0);
    } else {
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
