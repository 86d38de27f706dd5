/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv receives into the second half of what it sends. */
/* Twin: MPI_Sendrecv receives behind what it sends. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Sendrecv(x, 4, MPI_INT, 1 - rank, 0, x + 4, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(x, 4, MPI_INT, 1 - rank, 0, x + 2, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @buffer-overlap */
#endif
    MPI_Finalize();
}
