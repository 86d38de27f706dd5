/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is written that was opened for reading only. */
/* Twin: a file is written that was opened for writing only. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 8);
    MPI_File_close(&file);
#ifdef TWIN
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
#else
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
#endif
    MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE); /* @io-misuse */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
