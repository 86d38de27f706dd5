/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Ranks 0 and 1 elect one of them by MPI_Compare_and_swap; which of two atomic accesses is first is open
 * (MPI-4.0, 12.7.1). Rank 2 waits for a message of rank 0, which its author takes for the winner: if rank 1 has
 * won, it waits for ever. The twin takes the message of whoever has won.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, nobody = 0, me, found = -1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    me = rank + 1;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    *memory = 0;
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank < 2)
        MPI_Compare_and_swap(&me, &nobody, &found, MPI_INT, 2, 0, window);
    MPI_Win_unlock_all(window);
    if (found == 0)
        MPI_Send(&me, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#ifdef TWIN
    if (rank == 2)
        MPI_Recv(&me, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    if (rank == 2)
        MPI_Recv(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Win_free(&window); /* @deadlock */
    MPI_Finalize();
    return 0;
}
