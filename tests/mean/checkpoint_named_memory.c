/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As checkpoint_leftover, in shared memory that has a name and stays when the program is over. The twin takes
 * the name away first. */
/* incomplete: which those before it have left */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, fd, *shared;
    char name[80];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "/%s.%d", strrchr(argv[0], '/') + 1, (int)getuid());
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
#ifdef TWIN
        shm_unlink(name);
#endif
        fd = shm_open(name, O_RDWR | O_CREAT, 0600);
        if (fd < 0 || ftruncate(fd, sizeof *shared) != 0)
            return 2;
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (*shared == 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        *shared = first;
#ifdef TWIN
        shm_unlink(name);
#endif
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
