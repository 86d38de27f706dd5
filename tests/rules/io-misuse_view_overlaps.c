/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks of the file type overlap, in a file that is opened for writing. */
/* Twin: the blocks of the file type have holes between them, in a file that is opened for writing. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#ifdef TWIN
    MPI_Type_vector(3, 2, 3, MPI_INT, &blocks);
#else
    MPI_Type_vector(3, 2, 1, MPI_INT, &blocks);
#endif
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 0, MPI_INT, blocks, "native", MPI_INFO_NULL); /* @io-misuse */
    MPI_Type_free(&blocks);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
