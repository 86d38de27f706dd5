/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The send half of rank 1 is for rank 0, whose own half is free to take that of rank 2 (MPI-4.0, 3.10: both
 * halves at the same time). The twin names the source. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int from = rank == 0 ? MPI_ANY_SOURCE : 0;
#ifdef TWIN
    from = rank == 0 ? 1 : 0;
#endif
    if (rank == 0) {
        MPI_Sendrecv(&rank, 1, MPI_INT, 1, 0, &value, 1, MPI_INT, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        assert(value == 1); /* @assertion */
        MPI_Sendrecv(&rank, 1, MPI_INT, 2, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    } else {
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
