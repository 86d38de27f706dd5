/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* A lock of a file ends when the file is closed (flock(2); a record lock: fcntl(2)); MPI says nothing about
 * it. Rank 3 comes after rank 0 has closed its file in each run, whoever else keeps it open in between. Only
 * that rank 0 got the message of rank 2 first is wrong. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Of no file that another run looks at. */
static int locked(int how)
{
    int fd = open("/proc/self/exe", O_RDONLY);
    assert(fd >= 0);
    return flock(fd, how) == 0 ? fd : -1;
}

int main(int argc, char **argv)
{
    int rank, first, second, fd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        assert((fd = locked(LOCK_EX)) >= 0);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        close(fd);
        MPI_Send(&rank, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else if (rank == 3) {
        MPI_Recv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert((fd = locked(LOCK_EX | LOCK_NB)) >= 0);
        close(fd);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
