/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered, split collective and individual access to one file. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = -1, twice;
    MPI_File file;
    MPI_Status status;
    MPI_Offset at;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    twice = 2 * rank;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, size + rank, &twice, 1, MPI_INT);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at_all_end(file, &twice, &status);
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, &value, 1, MPI_INT);
    MPI_File_read_ordered_end(file, &value, &status);
    assert(value == rank);
    MPI_File_get_position_shared(file, &at);
    assert(at == size);
    MPI_File_seek(file, size + rank, MPI_SEEK_SET);
    MPI_File_read_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    assert(value == 2 * rank);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
