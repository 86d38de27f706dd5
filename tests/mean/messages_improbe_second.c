/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * A matched probe takes a message out of the queue (MPI-4.0, 3.8.2): the one behind it, of the same rank,
 * may be found by an MPI_Improbe while the first is not received yet. Without buffers rank 2 sends no
 * second one before; with them it may (3.4). The twin knows that.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value, found = 0;
    MPI_Message first, second;
    MPI_Status of_first, of_second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first, &of_first);
        MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &second, &of_second);
        if (found) {
#ifndef TWIN
            assert(of_first.MPI_SOURCE != 2 || of_second.MPI_SOURCE != 2); /* @assertion */
#endif
            assert(of_first.MPI_SOURCE != 1 || of_second.MPI_SOURCE != 1);
            MPI_Mrecv(&value, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        }
        MPI_Mrecv(&value, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
        for (int i = found; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < rank; i++)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
