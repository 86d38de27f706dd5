/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The tag of the message is positive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, rank + 7, &x, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
