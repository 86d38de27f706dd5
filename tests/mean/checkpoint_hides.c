/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* Each run begins without the folder; it is made only if the message of rank 1 comes first, and must be there
 * if that of rank 2 does: then it is not (POSIX, rmdir, mkdir, access). The folder that an earlier
 * interleaving made must not hide that. */
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
    snprintf(name, sizeof name, "%s.folder", argv[0]);
    if (rank == 0) {
        rmdir(name);
        for (int i = 0; i < 3; i++)
            MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (values[0] == 1)
            mkdir(name, 0700);
#ifndef TWIN
        if (values[0] == 2)
            assert(access(name, F_OK) == 0); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
