/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * Rank 1 asks how long the file is while rank 0 makes it longer. MPI_File_get_size is a data access operation
 * (MPI-4.0, 14.2.6): nothing orders it against the write (14.6.1), 0 and 8 are both right. The twin has a
 * barrier between two syncs, and asks before as well: what was written before is not longer than the file.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    char name[100];
    MPI_Offset size = 0;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write_at(file, 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    if (rank == 0)
        MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#endif
    if (rank == 1)
        MPI_File_get_size(file, &size);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
