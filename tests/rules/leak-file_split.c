/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* The half of the even ranks closes its file, the other half does not. */
/* Twin: both do. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_File_open(half, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file); /* @leak-file */
#ifdef TWIN
    MPI_File_close(&file);
#else
    if (rank % 2 == 0)
        MPI_File_close(&file);
#endif
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
