/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's error handlers leave the call that failed by longjmp: it is over then, and
 * others follow. With an argument a rank that came so out of a failed call makes one call too few. */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf out;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    longjmp(out, 1);
}

static void on_win_error(MPI_Win *win, int *code, ...)
{
    (void)win;
    (void)code;
    longjmp(out, 2);
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Errhandler handler, win_handler;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_errhandler(on_win_error, &win_handler);
    MPI_Win_set_errhandler(win, win_handler);
    switch (setjmp(out)) {
    case 0:
        MPI_Bcast(&value, 1, MPI_INT, 1000, MPI_COMM_WORLD); /* @invalid-root */
        abort();
    case 1:
        MPI_Win_set_attr(win, MPI_KEYVAL_INVALID, NULL); /* @invalid-argument */
        abort();
    }
    if (rank == 0)
        MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @deadlock */
    else if (argc == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&win_handler);
    MPI_Finalize();
    return 0;
}
