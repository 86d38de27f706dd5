/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A lock file, a folder and links are made at the beginning and removed at the end of each run: POSIX lets
 * none of these calls fail (open with O_EXCL, mkdir, link, symlink, rename). Wrong is only the order in which
 * rank 0 receives. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char names[5][80];

int main(int argc, char **argv)
{
    int rank, first, second, fd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        snprintf(names[i], sizeof names[i], "/tmp/checkpoint_names.%d.%d", (int)getppid(), i);
    if (rank == 0) {
        assert((fd = open(names[0], O_WRONLY | O_CREAT | O_EXCL, 0600)) >= 0 && close(fd) == 0);
        assert(mkdir(names[1], 0700) == 0 && link(names[0], names[2]) == 0 &&
               symlink(names[0], names[3]) == 0);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(rename(names[2], names[4]) == 0 && rmdir(names[1]) == 0);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(unlink(names[0]) == 0 && unlink(names[3]) == 0 && unlink(names[4]) == 0);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
