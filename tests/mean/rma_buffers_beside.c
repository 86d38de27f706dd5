/* SPDX-License-Identifier: BSD-3-Clause */
/* An enemy: halos. The interior of each window is sent and put from, its edges are put to and received
 * into; the bytes are different ones, so nothing is wrong (MPI-4.0, section 12.7). The wrong form receives
 * one element too many. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int other = 1 - rank;
    MPI_Request request;
#ifdef TWIN
    int n = 4;
#else
    int n = 5;
#endif
    MPI_Win_fence(0, win);
    MPI_Irecv(&memory[12 - n], n, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* @rma-conflict? */
    MPI_Put(&memory[1], 4, MPI_INT, other, 12, 4, MPI_INT, win);
    MPI_Put(&memory[1], 2, MPI_INT, other, 6, 2, MPI_INT, win); /* @rma-conflict */
    MPI_Send(&memory[1], 4, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
