/* SPDX-License-Identifier: BSD-3-Clause */
/* Of two files one is never closed, and a third one cannot be opened. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_File kept, closed, absent;
    int mode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;

    (void)argc;
    MPI_Init(NULL, NULL);
    MPI_File_open(MPI_COMM_WORLD, argv[1], mode, MPI_INFO_NULL, &kept); /* @leak-file */
    MPI_File_open(MPI_COMM_WORLD, argv[2], mode, MPI_INFO_NULL, &closed);
    int rc = MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &absent);
    assert(rc != MPI_SUCCESS);
    MPI_File_close(&closed);
    MPI_Finalize();
    return 0;
}
