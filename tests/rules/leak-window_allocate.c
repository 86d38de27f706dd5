/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A window on a communicator of its own is never freed. */
/* Twin: it is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *memory;
    MPI_Comm comm;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win); /* @leak-window */
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
#ifdef TWIN
    MPI_Win_free(&win);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
