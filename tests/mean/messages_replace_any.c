/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * The receive half of MPI_Sendrecv_replace may be a wildcard (MPI-4.0, 3.10): rank 0 may get the message of
 * rank 2 first. The twin asks rank 1.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, more;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 1, 0, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        assert(value == 1); /* @assertion */
        MPI_Recv(&more, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        value = 1;
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
