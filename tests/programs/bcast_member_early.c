/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has the data and sends; rank 2 receives it before it calls the broadcast. */
/* Twin: rank 2 takes part in the broadcast before it receives. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word, got = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word = rank + 1;
    if (rank == 1) {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
        word = 99;
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
#ifdef TWIN
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
    } else {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 2 && word != 1)
        exit(1);
    MPI_Finalize();
    return 0;
}
