/* SPDX-License-Identifier: BSD-3-Clause */
/* A megabyte in both directions at a time. */
#include <assert.h>
#include <mpi.h>
#include <string.h>

enum { SIZE = 1 << 20 };
static char in[SIZE], out[SIZE];

int main(int argc, char **argv)
{
    int rank;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(out, rank + 1, sizeof out);
    MPI_Sendrecv(out, sizeof out, MPI_CHAR, 1 - rank, 0, in, sizeof in, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(in[0] == 2 - rank && in[SIZE - 1] == 2 - rank);
    MPI_Irecv(in, sizeof in, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, sizeof out, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Bcast(out, sizeof out, MPI_CHAR, 0, MPI_COMM_WORLD);
    assert(out[SIZE - 1] == 1);
    MPI_Finalize();
    return 0;
}
