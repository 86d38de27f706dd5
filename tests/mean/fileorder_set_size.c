/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * The file is open twice, by a handle of each rank. Rank 0 cuts it to 8 bytes; rank 1 reads the bytes behind
 * them. MPI_File_set_size is a write that conflicts with accesses to what is between the old and the new size
 * (MPI-4.0, 14.2.4). The twin reads the first 8.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    char name[100];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    if (rank == 0) {
        MPI_File_delete(name, MPI_INFO_NULL);
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        MPI_File_write_at(file, 0, values, 8, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_sync(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
#ifdef TWIN
        MPI_File_read_at(file, 4, values, 1, MPI_INT, MPI_STATUS_IGNORE);
#else
        MPI_File_read_at(file, 12, values, 1, MPI_INT, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_File_set_size(file, 8);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
