/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* An enemy: sums of arrays that overlap by whole elements are right, whatever their lengths (MPI-4.0,
 * section 12.7.1). The wrong one is of bytes, so their elements are others. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int values[6] = {1, 1, 1, 1, 1, 1};
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(values, 6, MPI_INT, 0, 0, 6, MPI_INT, MPI_BOR, win); /* @rma-conflict? */
    else if (rank == 2)
#ifdef TWIN
        MPI_Accumulate(values, 4, MPI_INT, 0, 3, 4, MPI_INT, MPI_BOR, win);
#else
        MPI_Accumulate(values, 16, MPI_BYTE, 0, 3, 16, MPI_BYTE, MPI_BOR, win); /* @rma-conflict */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
