/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/*
 * Each rank reads one number by the shared file pointer, in an order that nobody knows (MPI-4.0, 14.4.4): it is
 * not certain that rank 0 gets the first. The twin reads in the order of the ranks (MPI_File_read_ordered).
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, values[2] = {1, 2}, value = 0;
    char name[100];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write_at(file, 0, values, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
#ifdef TWIN
    MPI_File_read_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#else
    MPI_File_read_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
#endif
    assert(value == rank + 1); /* @assertion */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
