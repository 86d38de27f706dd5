/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Which message comes first is noted in a file, for the next start of the program: it finds it, and a run
 * that would be right alone fails, or the other way round (here: never). No order of messages is the reason;
 * isp cannot say what the interleavings do by themselves, and must say so. The twin begins the file anew each
 * time. */
/* incomplete: which those before it have left */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, before = 0, fd;
    char name[80];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[0], (int)getuid());
    if (rank == 0) {
#ifdef TWIN
        fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
#else
        fd = open(name, O_RDWR | O_CREAT, 0600);
#endif
        if (fd >= 0 && read(fd, &before, sizeof before) > 0 && before == 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (fd >= 0 && pwrite(fd, &first, sizeof first, 0) == sizeof first)
            close(fd);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
