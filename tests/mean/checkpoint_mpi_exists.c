/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Whose message comes first decides whether a file is made, or opened as one that is there: MPI_File_open
 * without MPI_MODE_CREATE (MPI-4.0, 14.2.1). By itself the second fails; behind the first in the search it
 * does not. The twin makes it in both.
 */
/* incomplete: which those before it have left */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#ifdef TWIN
enum { MODE = MPI_MODE_RDWR | MPI_MODE_CREATE };
#else
enum { MODE = MPI_MODE_RDWR };
#endif

int main(int argc, char **argv)
{
    int rank, first, second;
    char name[80];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[0], (int)getuid());
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 1) {
            MPI_File_delete(name, MPI_INFO_NULL);
            MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
            MPI_File_close(&file);
        } else if (MPI_File_open(MPI_COMM_SELF, name, MODE, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
            MPI_File_close(&file);
        }
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
