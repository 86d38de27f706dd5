/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided: the calls that may have put it are named. */
/* @ask 2: focus 0; why memory[1] */
/* @says rank 1: MPI_Put at */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory[4] = {0}, value = -1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return memory[1] > 0;
}
