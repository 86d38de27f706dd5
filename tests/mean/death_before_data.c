/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 --buffering=zero */
/* Rank 1 dies when its message has matched a receive of rank 0, but before MPI has sent it: that rank 2's
 * MPI_Ssend is over shows that rank 0 has called its receives (MPI-4.0, 3.4). Rank 0 then waits inside MPI
 * for ever. What it would have done next is not seen, and isp says so. In the twin rank 1 lives. */
#include "file_wait.h"
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0, other = 0, maker;
    char name[64];
    MPI_Request request;
    sigset_t told = file_wait_prepare();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    maker = (int)getpid();
    MPI_Bcast(&maker, 1, MPI_INT, 2, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/death_before_data.%d", maker);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&other, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&other, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        file_wait(name, maker);
        remove(name);
#ifndef TWIN
        assert(!"alive"); /* @assertion */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Ssend(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        file_wait_looked(&told);
        fclose(fopen(name, "w"));
    }
    MPI_Finalize();
    return 0;
}
/* incomplete: after a rank died in interleaving 0, rank 0 did not get as far as it can: MPI_Recv at */
/* interleavings 1, twin 1 */
