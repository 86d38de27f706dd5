/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Win_test may say that rank 1 is not done (MPI-4.0, 12.5.2), and the message that rank 1 sends when it
 * is done may be there at the next line all the same. The twin draws no conclusion.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory = 0, value = 1, done = 0, there = 0, other;
    MPI_Win window;
    MPI_Group world, peer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    other = !rank;
    MPI_Group_incl(world, 1, &other, &peer);
    if (rank == 0) {
        MPI_Win_post(peer, 0, window);
        MPI_Win_test(window, &done);
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
#ifndef TWIN
        assert(done || !there); /* @assertion */
#endif
        if (!done)
            MPI_Win_wait(window);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Win_start(peer, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&peer);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
