/* SPDX-License-Identifier: BSD-3-Clause */
/* halo STEPS: a deterministic program. A rod is heated at one end; neighbours exchange a cell each
 * step, and every tenth step all agree on how much changed. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000 };

int main(int argc, char **argv)
{
    static double now[CELLS + 2], next[CELLS + 2];
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 100;
    double change = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 1; step <= steps; step++) {
        MPI_Request requests[4];
        MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&now[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&now[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            now[0] = 1;
        change = 0;
        for (int i = 1; i <= CELLS; i++) {
            next[i] = (now[i - 1] + now[i] + now[i + 1]) / 3;
            change += fabs(next[i] - now[i]);
        }
        for (int i = 1; i <= CELLS; i++)
            now[i] = next[i];
        if (step % 10 == 0)
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("change %g\n", all);
    MPI_Finalize();
    return 0;
}
