/* SPDX-License-Identifier: BSD-3-Clause */
/* A second split collective begins before the first has ended. */
/* Twin: a second split collective begins when the first has ended; meanwhile the file is read alone. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[2] = {0}, b[2] = {0};
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all_begin(file, 8 * rank, a, 2, MPI_INT);
#ifdef TWIN
    MPI_File_read_at(file, 32, b, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file, a, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 16 + 8 * rank, b, 2, MPI_INT);
#else
    MPI_File_write_at_all_begin(file, 16 + 8 * rank, b, 2, MPI_INT); /* @io-misuse */
    MPI_File_write_at_all_end(file, a, MPI_STATUS_IGNORE);
#endif
    MPI_File_write_at_all_end(file, b, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
