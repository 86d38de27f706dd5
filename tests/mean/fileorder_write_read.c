/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * Rank 0 writes what rank 1 reads, and nothing orders the two: what is read is undefined (MPI-4.0, 14.6.1),
 * and isp runs one order. MPI_File_sync alone does not order them. The twin has a barrier between two of them
 * (the example of 14.6.10).
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    char name[100];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write_at(file, 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    MPI_File_sync(file);
    MPI_File_seek(file, 6, MPI_SEEK_SET);
    if (rank == 1)
        MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
