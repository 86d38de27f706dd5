/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* A folder is made at the beginning of each run and removed behind the first choice (POSIX, mkdir, rmdir):
 * neither fails. Wrong is only the order in which rank 0 receives. */
/* interleavings 6, twin 6 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, values[3];
    char name[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "/tmp/checkpoint_folder.%d", (int)getppid());
    if (rank == 0) {
        assert(mkdir(name, 0700) == 0);
        for (int i = 0; i < 3; i++)
            MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(rmdir(name) == 0);
#ifndef TWIN
        assert(values[0] != 2 || values[1] != 3); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
