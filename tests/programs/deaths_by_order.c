/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order rank 0 takes three messages decides how it ends: well, by exit, by a signal, by MPI_Abort, or without a word. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, from[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @exit-code @crash */
        if (from[0] == 1 && from[1] == 3)
            exit(4);
        if (from[0] == 2 && from[1] == 1)
            *(volatile int *)argv[argc] = 1; /* @crash */
        if (from[0] == 2 && from[1] == 3)
            MPI_Abort(MPI_COMM_WORLD, 9); /* @abort */
        if (from[0] == 3)
            _exit(3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
