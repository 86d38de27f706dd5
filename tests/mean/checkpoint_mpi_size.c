/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* How much is written depends on which message came first, and the file is not emptied before: what its size
 * is depends on the interleavings before. The twin writes as much in each of them, and finds no more. */
/* incomplete: which those before it have left */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, values[2] = {0};
    char name[80];
    MPI_File file;
    MPI_Offset size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[0], (int)getuid());
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        first = 2;
#endif
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        MPI_File_write(file, values, first, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_get_size(file, &size);
        MPI_File_close(&file);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
