/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 --timeout=4 */
/* Rank 2 sends when there is a file, which rank 0 makes when it has the message of rank 1. So it can only be
 * the second one that is received (the file orders them, MPI need not), and that rank 0 waits for it first is
 * no order of this program. */
/* interleavings 1, twin 1 */
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
    snprintf(name, sizeof name, "/tmp/hang_later_file.%d", maker);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        file_wait_looked(&told);
        fclose(fopen(name, "w"));
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        remove(name);
#ifndef TWIN
        assert(status.MPI_SOURCE != 2); /* @assertion */
#endif
    } else if (rank == 2) {
        file_wait(name, maker);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
