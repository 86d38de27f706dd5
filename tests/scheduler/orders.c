/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches of several interleavings, for the tests of -j, --save and --resume. The first argument is one of:
 *
 *   deadlock   rank 0 takes messages in any order, twice; after some orders it waits for one that never
 *              comes. Also leaks.
 *   later      the first receive can also take what is sent only after the second one: the search finds out
 *              while it runs
 *   buffered   two ranks send to each other before they receive; the rest is explored with buffered sends as
 *              well
 *   two        one deadlock that is real and one that buffering resolves, and a message that is never
 *              received
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static int take(int source, int tag)
{
    int value;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

static void give(int target, int tag) { MPI_Send(&rank, 1, MPI_INT, target, tag, MPI_COMM_WORLD); }

static void deadlock(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int round = 0; round < 2; round++) {
        int last = 0;
        for (int i = 1; i < size; i++) {
            if (rank == 0)
                last = take(MPI_ANY_SOURCE, round);
            else if (rank == i)
                give(0, round);
        }
        if (last == 1)
            take(2, 99);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void later(void)
{
    for (int round = 0; round < 2; round++) {
        if (rank == 0) { /* one message comes when rank 1 has received its own */
            take(MPI_ANY_SOURCE, round);
            take(MPI_ANY_SOURCE, round);
        } else if (rank == 1) {
            take(MPI_ANY_SOURCE, 10 + round);
            give(0, round);
        } else if (rank == 2) {
            give(0, round);
            give(1, 10 + round);
        } else if (rank == 3) {
            give(1, 10 + round);
            take(2, 20 + round);
        }
        if (rank == 1)
            take(MPI_ANY_SOURCE, 10 + round);
        if (rank == 2)
            give(3, 20 + round);
    }
}

static void buffered(void)
{
    if (rank == 1 || rank == 2) {
        give(3 - rank, 50);
        take(3 - rank, 50);
    }
    if (rank)
        give(0, 1);
    for (int i = 1; i < size && rank == 0; i++)
        take(MPI_ANY_SOURCE, 1);
}

static void two(void)
{
    if (rank == 0) {
        int first = take(MPI_ANY_SOURCE, 1);
        int second = take(MPI_ANY_SOURCE, 1);
        take(MPI_ANY_SOURCE, 1);
        if (first == 1) { /* resolved by buffering */
            give(1, 2);
            take(1, 2);
        } else if (second == 1) { /* never received */
            give(1, 7);
            take(1, 2);
        } else {
            take(1, 2);
            take(3, 8);
        }
    } else {
        give(0, 1);
        if (rank == 1) {
            give(0, 2);
            int there;
            MPI_Iprobe(0, 2, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            if (there)
                take(0, 2);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void (*const modes[])(void) = {deadlock, later, buffered, two};
    const char *const names[] = {"deadlock", "later", "buffered", "two"};
    for (int i = 0; i < 4; i++)
        if (strcmp(argv[1], names[i]) == 0)
            modes[i]();
    if (rank == 0)
        printf("rank 0 of %s is done\n", argv[1]);
    MPI_Finalize();
    return 0;
}
