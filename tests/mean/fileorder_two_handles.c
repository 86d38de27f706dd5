/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * Both ranks open one file, each by itself, and write its first bytes: whose are left is undefined (MPI-4.0,
 * 14.6.1, on accesses by several handles). The twin's rank 1 waits for a message of rank 0, which has closed
 * it.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    char name[100];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
#ifdef TWIN
    if (rank == 1)
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
#ifdef TWIN
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
