/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* incomplete: in one order only, and what comes of it is undefined */
/*
 * A matrix of three columns: each rank writes its own, in one collective call. That need not order what its
 * members write (MPI-4.0, 14.6.1), so columns must have nothing in common: rank 0's is one element too wide.
 * The twin's is not.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 1000, WIDTH = 4, RANKS = 3 };

int main(int argc, char **argv)
{
    static int column[ROWS * (WIDTH + 1)];
    int rank, width = WIDTH;
    char name[100];
    MPI_File file;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef TWIN
    width += rank == 0;
#endif
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    int sizes[] = {2, RANKS * WIDTH}, part[] = {2, width}, start[] = {0, rank * WIDTH};
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 16, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_File_write_all(file, column, ROWS * width, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
