/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks repeat a step until it has converged, and print what came out. Never ends: docs/tutorial.md. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

/* One step of Newton's method for the square root of a; how far it went. */
static double step(double *x, double a)
{
    double before = *x;
    *x = (before + a / before) / 2;
    return fabs(*x - before);
}

static double largest(double value, MPI_Comm world)
{
    MPI_Comm mine;
    double result;
    MPI_Comm_dup(world, &mine); /* so that it does not disturb the caller's messages */
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, mine);
    return result;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x = 1, change, sum;
    do {
        change = step(&x, rank + 1);
        largest(change, MPI_COMM_WORLD);
    } while (change > 1e-6);
    MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("the sum of the roots is %.6f\n", sum);
    MPI_Finalize();
    return 0;
}
