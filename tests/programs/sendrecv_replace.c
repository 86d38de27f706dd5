/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of Sendrecv_replace. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x = rank;
    MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % 3, 0, (rank + 2) % 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == (rank + 2) % 3);
    MPI_Finalize();
    return 0;
}
