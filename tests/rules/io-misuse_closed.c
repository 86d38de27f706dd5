/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of the handle is used after the file was closed. */
/* Twin: a copy of the handle is used before the file is closed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file, copy;
    MPI_Offset size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    copy = file;
#ifdef TWIN
    MPI_File_get_size(copy, &size);
    MPI_File_close(&file);
#else
    MPI_File_close(&file);
    MPI_File_get_size(copy, &size); /* @io-misuse */
#endif
    MPI_Finalize();
    return 0;
}
