/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of Sendrecvs: needs no buffer. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % 4, 0, &x, 1, MPI_INT, (rank + 3) % 4, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == (rank + 3) % 4);
    MPI_Finalize();
    return 0;
}
