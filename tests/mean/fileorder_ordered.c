/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * Both ranks write in the order of their ranks; then rank 1 reads what rank 0 has written. Reading and writing
 * need not synchronize (MPI-4.0, 14.6.1 and 14.4.4): only when all have called it is it certain that rank 0
 * has made its write. The twin reads what rank 1 itself has written, and the other after a barrier between two
 * syncs.
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
    MPI_File_write_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#ifdef TWIN
    if (rank == 1)
        MPI_File_read_at(file, 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
#endif
    if (rank == 1)
        MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
