/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank reads where the others write. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (rank == 1)
        MPI_File_iread_all(file, &rank, 1, MPI_INT, &request); /* @collective-mismatch */
    else
        MPI_File_iwrite_all(file, &rank, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
