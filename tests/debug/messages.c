/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints at messages: the events and their numbers are in messages.py. */
#include <mpi.h>

static int sum;

static void count(int to)
{
    for (int i = 0; i < to; i++)
        sum += i;
}

static void master(int workers)
{
    int value;
    for (int i = 0; i < workers; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count(value + 2);
    }
    for (int r = 1; r <= workers; r++)
        MPI_Send(&value, 1, MPI_INT, r, 2, MPI_COMM_WORLD);
}

static void worker(int rank)
{
    count(rank);
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Recv(&rank, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, n, mine, all;
    MPI_Comm workers;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &workers);
    rank ? worker(rank) : master(n - 1);
    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % n, 3, &all, 1, MPI_INT, (rank + n - 1) % n, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, workers);
    MPI_Comm_free(&workers);
    MPI_Finalize();
    return 0;
}
