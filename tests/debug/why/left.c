/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable that nobody has set holds what another function has left on the stack: that one is no cause. */
/* @ask 2: focus 1; why got; why; why numbers[3] */
/* @says nobody has changed it since use was called here: it is what was left in its memory before */
#include <mpi.h>

static void leave(int value)
{
    volatile int place[8];
    for (int i = 0; i < 8; i++)
        place[i] = value;
}

static int use(int rank)
{
    int numbers[8];
    int total = numbers[3] + 1; /* @wrong 0 */
    MPI_Send(&total, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return total;
}

int main(int argc, char **argv)
{
    int rank, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        leave(-7);
        got = use(rank);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return got > 0;
}
