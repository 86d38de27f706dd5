/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As checkpoint_leftover, with a file that is opened for writing only: how long it is says what the start of
 * the program before this one has done. The twin begins it anew. */
/* incomplete: which those before it have left */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef TWIN
enum { MODE = O_WRONLY | O_CREAT | O_TRUNC };
#else
enum { MODE = O_WRONLY | O_CREAT };
#endif

int main(int argc, char **argv)
{
    int rank, first, second, fd;
    char name[80];
    struct stat before;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[0], (int)getuid());
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        fd = open(name, MODE, 0600);
        if (fd >= 0 && fstat(fd, &before) == 0 && before.st_size == 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (fd >= 0 && pwrite(fd, &first, sizeof first, 4 * first) == sizeof first)
            close(fd);
    }
    MPI_Finalize();
    return 0;
}
