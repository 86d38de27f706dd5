/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The tag of the message that MPI_Sendrecv sends is computed, and negative. */
/* Twin: the tag of the message is positive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, rank + 7, &x, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, rank - 7, &x, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @invalid-tag */
#endif
    MPI_Finalize();
    return 0;
}
