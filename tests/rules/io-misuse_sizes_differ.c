/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank wants another size of the file; all must give the same. */
/* Twin: all ranks give the same size of the file. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#ifdef TWIN
    MPI_File_set_size(file, 4 * 2);
#else
    MPI_File_set_size(file, 4 * (rank + 1)); /* @io-misuse */
#endif
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
