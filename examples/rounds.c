/* SPDX-License-Identifier: BSD-3-Clause */
/* Two rounds of results from all workers to rank 0. Hangs now and then: docs/tutorial.md. */
#include <mpi.h>
#include <stdio.h>

enum { RESULT = 1 };

static double compute(int rank, int round)
{
    volatile double x = rank + round;
    for (int i = 0; i < round * 10000000; i++) /* the second round takes longer */
        x = x / 2 + 1 / x;
    return x;
}

static void work(int rank)
{
    for (int round = 0; round < 2; round++) {
        double result = compute(rank, round);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
}

static void collect(int size)
{
    double result, sum = 0;
    for (int i = 1; i < size; i++) { /* round 0: whoever is ready */
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += result;
    }
    for (int worker = 1; worker < size; worker++) { /* round 1: in order */
        MPI_Recv(&result, 1, MPI_DOUBLE, worker, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += result;
    }
    printf("the sum is %.3f\n", sum);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        collect(size);
    else
        work(rank);
    MPI_Finalize();
    return 0;
}
