/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives before the broadcast what rank 0 sends after it: the root must not have to wait for all. */
/* Twin: the message after the broadcast is received after it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word, got = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word = rank + 1;
    if (rank == 0) {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
        word = 99;
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
#ifdef TWIN
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
    } else {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank > 0 && word != 1)
        exit(1);
    MPI_Finalize();
    return 0;
}
