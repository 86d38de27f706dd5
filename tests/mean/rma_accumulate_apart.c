/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two sums whose elements overlap in part: eight bytes at 4, and at 8. Only elements at one place are
 * updated at once (MPI-4.0, section 12.7.1). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    long long value = 1;
    MPI_Win_fence(0, win);
    if (rank > 0)
#ifdef TWIN
        MPI_Accumulate(&value, 1, MPI_LONG_LONG, 0, 2 * rank, 1, MPI_LONG_LONG, MPI_SUM, win);
#else
        MPI_Accumulate(&value, 1, MPI_LONG_LONG, 0, rank, 1, MPI_LONG_LONG, MPI_SUM, win); /* @rma-conflict */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
