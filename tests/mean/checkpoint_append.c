/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A file is begun anew in each run, and later appended to by another descriptor, cut by a path and by another
 * program: what it holds in the end depends on this run only (POSIX, O_APPEND, truncate, system). Wrong is
 * only the order in which rank 0 receives. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, fd, other;
    char name[80], command[240];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "/tmp/checkpoint_append.%d", (int)getppid());
    if (rank == 0) {
        assert((fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) >= 0 && write(fd, "1234", 4) == 4);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert((other = open(name, O_WRONLY | O_APPEND)) >= 0 && write(other, "56", 2) == 2);
        assert(lseek(other, 0, SEEK_END) == 6 && truncate(name, 5) == 0 && lseek(other, 0, SEEK_END) == 5);
        snprintf(command, sizeof command, "printf 6 >> %s && test $(wc -c < %s) = 6", name, name);
        assert(system(command) == 0);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(unlink(name) == 0);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
