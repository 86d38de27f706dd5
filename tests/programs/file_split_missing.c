/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank does not begin the collective write, and closes the file. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (rank != 1) {
        MPI_File_write_all_begin(file, &rank, 1, MPI_INT); /* @collective-mismatch? */
        MPI_File_write_all_end(file, &rank, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file); /* @collective-mismatch? */
    MPI_Finalize();
    return 0;
}
