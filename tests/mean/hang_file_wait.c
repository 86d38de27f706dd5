/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=4 */
/* Rank 2 waits for a file that rank 0 makes once it has received a first message. Nothing of that is MPI's
 * business, and rank 0 always gets a message (MPI-4.0, 3.5: progress): neither a hang nor a deadlock,
 * whichever of ranks 1 and 3 comes first. */
/* interleavings 2, twin 2 */
#include "file_wait.h"
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0, maker;
    char name[64];
    MPI_Status status;
    sigset_t told = file_wait_prepare();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    maker = (int)getpid();
    MPI_Bcast(&maker, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/hang_file_wait.%d", maker);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE == 1); /* @assertion */
#endif
        file_wait_looked(&told);
        fclose(fopen(name, "w"));
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &status);
        remove(name);
    } else if (rank == 2) {
        file_wait(name, maker);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
