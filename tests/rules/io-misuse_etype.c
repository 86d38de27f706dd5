/* SPDX-License-Identifier: BSD-3-Clause */
/* The view counts in pairs of integers, and one integer is written. */
/* Twin: the view counts in pairs of integers, and two integers are written. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, n[2] = {1};
#else
    int rank, n = 1;
#endif
    MPI_File file;
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_set_view(file, 0, pair, pair, "native", MPI_INFO_NULL);
#ifdef TWIN
    MPI_File_write_at(file, rank, n, 2, MPI_INT, MPI_STATUS_IGNORE);
#else
    MPI_File_write_at(file, rank, &n, 1, MPI_INT, MPI_STATUS_IGNORE); /* @io-misuse */
#endif
    MPI_Type_free(&pair);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
