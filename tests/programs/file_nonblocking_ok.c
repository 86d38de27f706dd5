/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking collective write need not synchronize: rank 1 starts its own only after a message from rank 0. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, count;
    MPI_File file;
    MPI_Request request;
    MPI_Status status;
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int mine[2] = {rank, -rank}, read[2] = {0, 0};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_iwrite_at_all(file, (MPI_Offset)rank * 8, mine, 1, pair, &request);
    MPI_Type_free(&pair);
    if (rank == 0)
        MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    int next = (rank + 1) % size;
    MPI_File_seek(file, (MPI_Offset)next * 8, MPI_SEEK_SET);
    MPI_File_iread_all(file, read, 2, MPI_INT, &request);
    MPI_Wait(&request, &status);
    assert(read[0] == next && read[1] == -next);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
