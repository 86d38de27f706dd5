/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 says that nothing precedes the fence, the others do not: all have to say so. */
/* isp -n 3 */
/* Twin: all ranks say that nothing precedes the fence, and rank 0 that nobody puts: that each says for
 * itself. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
#ifdef TWIN
    MPI_Win_fence(MPI_MODE_NOPRECEDE | (rank == 0 ? MPI_MODE_NOPUT : 0), win);
#else
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPRECEDE : 0, win); /* @rma-epoch */
#endif
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
