/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Rank 1 begins a file, and goes on writing it; rank 3 reads it when all has been received, and must find
 * what this run wrote (POSIX, write and O_TRUNC). Wrong is only the order in which rank 0 receives. */
/* interleavings 6, twin 6 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, values[3], fd = -1, pid = (int)getpid();
    char name[64], text[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/checkpoint_other_rank.%d", pid);
    if (rank == 1)
        assert((fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) >= 0 && write(fd, "begin", 5) == 5);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3 && rank == 0; i++)
        MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(values, 3, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < values[0]; i++)
            assert(write(fd, "+", 1) == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
        assert((fd = open(name, O_RDONLY)) >= 0 && read(fd, text, sizeof text) == 5 + values[0]);
        assert(unlink(name) == 0);
#ifndef TWIN
        assert(values[0] != 2 || values[1] != 3); /* @assertion */
#endif
    }
    MPI_Finalize();
    return 0;
}
