/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks open the file for reading and writing. */
/* isp -n 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    if (MPI_File_open(MPI_COMM_WORLD, "io-misuse.dat", rank == 5 ? MPI_MODE_RDONLY : MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
