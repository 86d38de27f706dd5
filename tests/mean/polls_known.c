/* SPDX-License-Identifier: BSD-3-Clause */
/* A probe that has found a message finds it again (MPI-4.0, 3.8.1), and that is no news: so this loop does not go on for ever. */
/* isp -n 3 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, first = 0, second = 0, order = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!first || !second) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
            MPI_Iprobe(2, 0, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
            if (!order)
                order = first ? 1 : second ? 2 : 0;
        }
#ifndef TWIN
        assert(order == 1); /* @assertion */
#endif
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(order);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
