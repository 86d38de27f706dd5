/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --max-time=8 */
/* The last message is longer than its receive (MPI-4.0, 3.2.4), in each order of the others. What a rank does
 * that MPI has told of an error must not hold up the runs that come after. */
/* interleavings 2, twin 2 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Recv(values, 2, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(values, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @truncation */
#endif
    } else if (rank < 3) {
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(values, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
