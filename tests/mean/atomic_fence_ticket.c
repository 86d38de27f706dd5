/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: one order of two accesses to a window was run */
/* Tickets in the epoch of a fence: either rank may have the first one (MPI-4.0, 12.7.1). isp runs one order, and says so. The twin
 * draws each from its own window. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, ticket, one = 1, target = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
#ifdef TWIN
    target = rank;
#endif
    MPI_Win_fence(0, win);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, target, 0, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */
