/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As checkpoint_leftover, with MPI-IO: which message came first is in the file that the next start of the
 * program reads, before it writes it. The twin empties it first: then what it reads is its own. */
/* incomplete: which those before it have left */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, before = 0, after = 0;
    char name[80];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[0], (int)getuid());
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#ifdef TWIN
        MPI_File_set_size(file, 0);
#endif
        MPI_File_read_at(file, 0, &before, 1, MPI_INT, MPI_STATUS_IGNORE);
        if (before == 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_File_write_at(file, 0, &first, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at(file, 0, &after, 1, MPI_INT, MPI_STATUS_IGNORE);
        assert(after == first);
        MPI_File_close(&file);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
