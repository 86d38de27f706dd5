/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for the end of an exposure that was never posted. */
/* Twin: rank 1 waits for the end of an exposure that it has posted. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Group self;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    if (rank == 1) {
#ifdef TWIN
        MPI_Win_post(self, 0, win);
        MPI_Win_start(self, 0, win);
        MPI_Win_complete(win);
#endif
        MPI_Win_wait(win); /* @rma-epoch */
    }
    MPI_Group_free(&self);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
