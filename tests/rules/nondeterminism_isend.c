/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends with MPI_Send or MPI_Isend, in turn: what a file holds decides. */
/* isp -n 3 */
/* Twin: rank 1 sends with MPI_Send, the others with MPI_Isend. */
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
    int rank, x = 0;
    MPI_Comm comm;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
#ifdef TWIN
    } else if (rank == 1) {
#else
    } else if (rank == 1 && times_called() % 2) {
#endif
        MPI_Send(&x, 1, MPI_INT, 0, 0, comm); /* @nondeterminism? */
    } else {
        MPI_Isend(&x, 1, MPI_INT, 0, 0, comm, &request); /* @nondeterminism? */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
