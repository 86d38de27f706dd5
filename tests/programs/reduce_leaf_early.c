/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0, the root, wants a message that rank 1 sends after the reduction. */
/* Twin: the root reduces first. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word, got = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word = rank + 1;
    if (rank == 1) {
        MPI_Reduce(&word, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
        word = 99;
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
#ifdef TWIN
        MPI_Reduce(&rank, &got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Reduce(&rank, &got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
    } else {
        MPI_Reduce(&word, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    if (rank == 0 && (got != 5 || word != 99)) /* 0 + 2 + 3 */
        exit(1); 
    MPI_Finalize();
    return 0;
}
