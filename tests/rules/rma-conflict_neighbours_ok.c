/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Ranks write bytes next to each other, the owner among them, and each reads its own only. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char mine, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[3] = 'z';
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    mine = (char)('a' + rank);
    if (rank > 0)
        MPI_Put(&mine, 1, MPI_CHAR, 0, rank, 1, MPI_CHAR, win);
    else
        memory[0] = memory[3];
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    assert(rank > 0 || (memory[0] == 'z' && memory[1] == 'b' && memory[2] == 'c'));
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
