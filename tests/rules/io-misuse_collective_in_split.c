/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective access between the begin and the end of another one. */
/* Twin: an access that is not collective between the begin and the end of one that is. */
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
    MPI_File_read_at(file, 8 * rank, b, 2, MPI_INT, MPI_STATUS_IGNORE);
#else
    MPI_File_read_at_all(file, 8 * rank, b, 2, MPI_INT, MPI_STATUS_IGNORE); /* @io-misuse */
#endif
    MPI_File_write_at_all_end(file, a, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
