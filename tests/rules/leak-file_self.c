/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Every rank opens a file by itself, and never closes it. */
/* Twin: it is closed. */
#include <mpi.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    char name[40];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "leak-file-%d.tmp", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file); /* @leak-file */
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
#ifdef TWIN
    MPI_File_close(&file);
#else
    remove(name);
#endif
    MPI_Finalize();
    return 0;
}
