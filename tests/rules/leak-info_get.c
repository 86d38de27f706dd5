/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_File_get_info and MPI_Comm_get_info make an info object each time. */
/* Twin: both are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Info info[2];

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_get_info(file, &info[0]); /* @leak-info */
    MPI_Comm_get_info(MPI_COMM_WORLD, &info[1]); /* @leak-info */
    MPI_File_close(&file);
#ifdef TWIN
    MPI_Info_free(&info[0]);
    MPI_Info_free(&info[1]);
#endif
    MPI_Finalize();
    return 0;
}
