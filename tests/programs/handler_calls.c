/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's error handler calls MPI itself, blocking and collective calls too, while the call that failed
 * waits for it: they are calls like any others. With an argument rank 1 waits for a message that nobody
 * sends in its handler. */
#include <mpi.h>
#include <stdlib.h>

static int rank, called, waits;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    int class, sum, token = rank;

    MPI_Error_class(*code, &class);
    if (class != MPI_ERR_RANK)
        abort();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, *comm); /* @deadlock */
    if (sum != 1)
        abort();
    MPI_Sendrecv_replace(&token, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, *comm, MPI_STATUS_IGNORE);
    if (token != 1 - rank)
        abort();
    if (waits && rank == 1)
        MPI_Recv(&token, 1, MPI_INT, 0, 1, *comm, MPI_STATUS_IGNORE);
    called++;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    waits = argc > 1;
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    if (MPI_Send(&rank, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD) == MPI_SUCCESS || called != 1) /* @invalid-rank */
        abort();
    if (MPI_Send(&rank, 1, MPI_INT, -1000, 0, MPI_COMM_WORLD) == MPI_SUCCESS || called != 2) /* @invalid-rank */
        abort();
    MPI_Finalize();
    return 0;
}
