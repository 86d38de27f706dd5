/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective and independent access to a file, through a view, with and without a request. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, count;
    MPI_File file;
    MPI_Datatype strided;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)size * 4, &strided);
    MPI_Type_commit(&strided);
    MPI_File_set_view(file, (MPI_Offset)rank * 4, MPI_INT, strided, "native", MPI_INFO_NULL);
    MPI_Type_free(&strided);
    int mine[2] = {rank, rank + 100};
    MPI_File_write_all(file, mine, 2, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_iread_at(file, size + (rank + 1) % size, &value, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 1 && value == (rank + 1) % size + 100);
    MPI_File_read_at_all_begin(file, rank, &value, 1, MPI_INT);
    MPI_File_read_at_all_end(file, &value, MPI_STATUS_IGNORE);
    assert(value == rank);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
