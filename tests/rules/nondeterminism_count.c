/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends two numbers in every other run: what a file holds decides. */
/* isp -n 3 */
/* Twin: rank 1 sends two numbers in every run. */
#include <mpi.h>
#ifndef TWIN
#include <stdio.h>

/* 1 in the first run, 2 in the second ... */
static int times_called(void)
{
    FILE *file = fopen("nondeterminism_runs", "a");
    long times;

    if (!file)
        return 0;
    fputc('x', file);
    times = ftell(file);
    fclose(file);
    return (int)times;
}
#endif

int main(int argc, char **argv)
{
    int rank, x[2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
#ifdef TWIN
        MPI_Send(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
#else
        MPI_Send(x, 2 - times_called() % 2, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @nondeterminism */
#endif
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
