/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/*
 * Two ranks write by the shared file pointer, in no order (MPI-4.0, 14.4.4: "the ordering is not deterministic").
 * The program counts on rank 0's being first. The twin looks for both numbers.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, both[2] = {-1, -1};
    char name[100];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "fileorder_shared_write.%ld.tmp", (long)getuid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at(file, 0, both, 2 * sizeof(int), MPI_BYTE, MPI_STATUS_IGNORE);
#ifdef TWIN
    assert(both[0] + both[1] == 1);
#else
    assert(both[0] == 0); /* @assertion */
#endif
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
