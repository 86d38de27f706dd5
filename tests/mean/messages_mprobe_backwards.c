/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two messages are found, and received in the other order: each by its handle (MPI-4.0, 3.8.2). Which was
 * found first is open, which is received where is not. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value;
    MPI_Message first, second;
    MPI_Status one, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first, &one);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &second, &other);
        MPI_Mrecv(&value, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        assert(value == other.MPI_SOURCE && one.MPI_SOURCE + other.MPI_SOURCE == 3);
#ifndef TWIN
        assert(value == 2); /* @assertion */
#endif
        MPI_Mrecv(&value, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
        assert(value == one.MPI_SOURCE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
