/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Tickets by MPI_Fetch_and_op: which rank draws which is open (MPI-4.0, 12.3.4 and 12.7.1). The program gives its own
 * rank as the answer to who had the first one. The twin asks for no order, only that each number is drawn once.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, ticket, one = 1, sum;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
#ifndef TWIN
    assert(rank != 2 || ticket != 0); /* @assertion */
#endif
    MPI_Allreduce(&ticket, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(sum == 0 + 1 + 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
/* interleavings 6, twin 6 */
