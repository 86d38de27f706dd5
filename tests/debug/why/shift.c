/* SPDX-License-Identifier: BSD-3-Clause */
/* Around a ring: MPI_Sendrecv, then MPI_Sendrecv_replace. */
/* @ask 3: focus 2; why cell; why; why */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    double own, cell;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    own = 0.5 - rank; /* @wrong 0 */
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, right, 0, &cell, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&cell, 1, MPI_DOUBLE, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return cell < 0;
}
