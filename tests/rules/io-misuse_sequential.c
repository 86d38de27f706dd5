/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is opened for sequential access has no individual file pointer. */
/* Twin: a file that is not opened for sequential access has an individual file pointer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
#else
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
#endif
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET); /* @io-misuse */
    MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
