/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * One file with two names: rank 0 writes by the one what rank 1 reads by the other, and nothing orders the two
 * (MPI-4.0, 14.6.1). In the twin these are two files.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    char name[100], other[110];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    snprintf(other, sizeof other, "%s.2", name);
    if (rank == 0) {
        MPI_File_delete(name, MPI_INFO_NULL);
        MPI_File_delete(other, MPI_INFO_NULL);
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#ifndef TWIN
        if (link(name, other) != 0)
            MPI_Abort(MPI_COMM_WORLD, 2);
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_File_open(MPI_COMM_SELF, other, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    } else {
        MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
