/* SPDX-License-Identifier: BSD-3-Clause */
/* Of two errors on windows the program asks for one to be returned. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int value = 1;
    MPI_Win win;
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_errhandler(win, &handler);
    assert(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Win_fence(0, win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    assert(MPI_Put(&value, 1, MPI_INT, 99, 0, 1, MPI_INT, win) != MPI_SUCCESS); /* @invalid-rank */
    MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL);
    MPI_Put(&value, 1, MPI_INT, 99, 0, 1, MPI_INT, win); /* @invalid-rank */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
