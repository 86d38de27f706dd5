/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of calls. */
#include "causes.h"

PROGRAM(both_receive_first, 2)
{
    int in = 0, you = 1 - rank;
    if (repaired && rank == 1)
        MPI_Send(&rank, 1, MPI_INT, you, 0, WORLD);
    MPI_Recv(&in, 1, MPI_INT, you, 0, WORLD, IGNORE); /* CAUSE */
    if (!repaired || rank == 0)
        MPI_Send(&rank, 1, MPI_INT, you, 0, WORLD);
}

PROGRAM(ring_of_ssends, 4)
{
    int in = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (repaired && rank % 2)
        MPI_Recv(&in, 1, MPI_INT, left, 0, WORLD, IGNORE);
    MPI_Ssend(&rank, 1, MPI_INT, right, 0, WORLD); /* CAUSE */
    if (!repaired || rank % 2 == 0)
        MPI_Recv(&in, 1, MPI_INT, left, 0, WORLD, IGNORE);
}

PROGRAM(ring_of_sends, 4)
{
    int in = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (repaired && rank % 2)
        MPI_Recv(&in, 1, MPI_INT, left, 0, WORLD, IGNORE);
    MPI_Send(&rank, 1, MPI_INT, right, 0, WORLD); /* CAUSE */
    if (!repaired || rank % 2 == 0)
        MPI_Recv(&in, 1, MPI_INT, left, 0, WORLD, IGNORE);
}

PROGRAM(ring_of_receives, 5)
{
    int token = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (repaired && rank == 0)
        MPI_Send(&token, 1, MPI_INT, right, 0, WORLD);
    MPI_Recv(&token, 1, MPI_INT, left, 0, WORLD, IGNORE); /* CAUSE */
    if (!repaired || rank != 0)
        MPI_Send(&token, 1, MPI_INT, right, 0, WORLD);
}

PROGRAM(parity_of_pairs, 4)
{
    int in = 0, you = rank ^ 2;
    if (BUG(rank % 2, rank / 2)) {
        MPI_Ssend(&rank, 1, MPI_INT, you, 0, WORLD);
        MPI_Recv(&in, 1, MPI_INT, you, 0, WORLD, IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_INT, you, 0, WORLD, IGNORE); /* CAUSE */
        MPI_Ssend(&rank, 1, MPI_INT, you, 0, WORLD);
    }
}

PROGRAM(one_of_three, 3)
{
    int a = 0, b = 0;
    if (rank == 0) {
        MPI_Ssend(&a, 1, MPI_INT, 1, 0, WORLD);
        MPI_Recv(&b, 1, MPI_INT, 2, 0, WORLD, IGNORE);
    } else if (rank == 1) {
        if (!repaired)
            MPI_Ssend(&a, 1, MPI_INT, 2, 0, WORLD); /* CAUSE */
        MPI_Recv(&b, 1, MPI_INT, 0, 0, WORLD, IGNORE);
        if (repaired)
            MPI_Ssend(&a, 1, MPI_INT, 2, 0, WORLD);
    } else {
        MPI_Ssend(&a, 1, MPI_INT, 0, 0, WORLD);
        MPI_Recv(&b, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    }
}

PROGRAM(wait_before_receive, 2)
{
    int in = 0, you = 1 - rank;
    MPI_Request send;
    MPI_Issend(&rank, 1, MPI_INT, you, 0, WORLD, &send);
    if (!repaired)
        MPI_Wait(&send, IGNORE); /* CAUSE */
    MPI_Recv(&in, 1, MPI_INT, you, 0, WORLD, IGNORE);
    if (repaired)
        MPI_Wait(&send, IGNORE);
}

PROGRAM(two_tags_swapped, 2)
{
    int a = 0, b = 0;
    if (rank == 0) {
        MPI_Ssend(&a, 1, MPI_INT, 1, 1, WORLD);
        MPI_Ssend(&b, 1, MPI_INT, 1, 2, WORLD);
    } else {
        MPI_Recv(&b, 1, MPI_INT, 0, BUG(2, 1), WORLD, IGNORE); /* CAUSE */
        MPI_Recv(&a, 1, MPI_INT, 0, BUG(1, 2), WORLD, IGNORE);
    }
}

PROGRAM(barrier_before_send, 2)
{
    int x = 0;
    if (rank == 0) {
        if (!repaired)
            MPI_Barrier(WORLD); /* CAUSE */
        MPI_Ssend(&x, 1, MPI_INT, 1, 0, WORLD);
        if (repaired)
            MPI_Barrier(WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
        MPI_Barrier(WORLD);
    }
}

PROGRAM(no_wait_before_barrier, 3)
{
    int x = 0;
    MPI_Request receive;
    if (rank == 0)
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &receive);
    if (rank == 0)
        MPI_Wait(&receive, IGNORE);
    if (rank == 1 && repaired)
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Barrier(WORLD); /* CAUSE */
    if (rank == 1 && !repaired)
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, WORLD);
}

PROGRAM(first_stage_receives, 4)
{
    int x = 0;
    for (int i = 0; i < 2; i++) {
        if (rank > 0 || !repaired)
            MPI_Recv(&x, 1, MPI_INT, (rank + size - 1) % size, 0, WORLD, IGNORE); /* CAUSE */
        if (rank < size - 1)
            MPI_Ssend(&x, 1, MPI_INT, rank + 1, 0, WORLD);
    }
}
