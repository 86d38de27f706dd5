/* SPDX-License-Identifier: BSD-3-Clause */
/* A megabyte by Send in both directions at a time, as head_to_head: no MPI buffers that much. */
#include <mpi.h>

enum { SIZE = 1 << 20 };
static char in[SIZE], out[SIZE];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(out, sizeof out, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Recv(in, sizeof in, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
