/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/*
 * Tickets in memory that is attached to a dynamic window (MPI-4.0, 12.2.4): MPI_Fetch_and_op of two ranks
 * comes in any order (12.7.1). In the twin they add to words of their own.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory[3] = {0}, one = 1, ticket = 0;
    MPI_Win window;
    MPI_Aint at = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_attach(window, memory, sizeof memory);
        MPI_Get_address(memory, &at);
    }
    MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank > 0) {
#ifdef TWIN
        at = MPI_Aint_add(at, rank * (MPI_Aint)sizeof memory[0]);
#endif
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, at, MPI_SUM, window);
        MPI_Win_flush(0, window);
        assert(ticket == 0); /* @assertion */
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Win_detach(window, memory);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
