/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 meets a breakpoint that was left in the program, while isp has its own in the buffer of the receive. */
/* Twin: as crash_breakpoint, for a value that no rank has. */
#include <mpi.h>
#include <signal.h>

static void stop_here(int value)
{
#ifdef TWIN
    if (value == -1)
#else
    if (value == 1)
#endif
#if defined __x86_64__
        __asm__ volatile("int3"); /* @crash */
#else
        raise(SIGTRAP);
#endif
}

int main(int argc, char **argv)
{
    int rank, size, from = -1;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&from, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    stop_here(rank);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return from < 0;
}
