/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 has its prefix and sends; rank 1 receives it before it calls the scan. */
/* Twin: rank 1 scans first. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, word, got = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    word = rank + 1;
    if (rank == 0) {
        MPI_Scan(&word, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* @unsafe-buffering */
        word = 99;
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
#ifdef TWIN
        MPI_Scan(&word, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Scan(&word, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
    } else {
        MPI_Scan(&word, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (got != (rank + 1) * (rank + 2) / 2)
        exit(1);
    MPI_Finalize();
    return 0;
}
