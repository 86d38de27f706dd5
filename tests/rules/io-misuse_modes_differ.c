/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 opens the file for reading, the others for reading and writing. */
/* isp -n 3 */
/* Twin: all ranks open the file for reading and writing. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
#ifdef TWIN
    if (MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", rank == 5 ? MPI_MODE_RDONLY : MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS)
#else
    if (MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", rank == 1 ? MPI_MODE_RDONLY : MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS) /* @io-misuse */
#endif
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
