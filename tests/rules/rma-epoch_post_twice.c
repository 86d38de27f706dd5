/* SPDX-License-Identifier: BSD-3-Clause */
/* A window is exposed twice. */
/* Twin: a window is exposed twice, one after the other. */
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
    MPI_Win_post(self, 0, win);
#ifdef TWIN
    MPI_Win_start(self, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
#endif
    MPI_Win_post(self, 0, win); /* @rma-epoch */
    MPI_Win_start(self, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&self);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
