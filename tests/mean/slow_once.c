/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=3 */
/* Rank 3 computes for longer in one run than in the next, and calls the same whatever that takes. While it
 * does, the others go on without it (a quarter of the time-out), and find its message among those that wait
 * the next time: that is no nondeterminism. Its message may be the first all the same (MPI-4.0, 3.5). */
/* interleavings 5, twin 6 */
#include "every_other.h"
#include <assert.h>
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE != 3); /* @assertion */
#endif
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        if (rank == 3)
            usleep(is_every_other("/tmp/isp_slow_once") ? 1000000 : 0);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
