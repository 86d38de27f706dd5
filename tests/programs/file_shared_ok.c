/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks write by the shared file pointer, each in its turn: nothing is lost, and each replay does the same. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, from, sum = 0;
    MPI_File file;
    MPI_Request request;
    MPI_Offset bytes;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0)
        for (int i = 1; i < size; i++)
            MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_File_iwrite_shared(file, &rank, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD); /* which MPI_File_sync need not be (MPI-4.0, 14.6.10) */
    MPI_File_sync(file);
    MPI_File_get_size(file, &bytes);
    assert(bytes == 8 * size);
    for (int i = 0; i < 2 * size; i++) {
        MPI_File_read_at(file, 4 * i, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        sum += value;
    }
    assert(sum == size * (size - 1));
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
