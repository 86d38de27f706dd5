/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An access to a window with an operation of the program's own. */
/* Twin: an access to a window with a predefined operation. */
#include <mpi.h>

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, size;
    int memory = 0;
    MPI_Op op;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(larger, 1, &op);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
#ifdef TWIN
    MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAX, win);
#else
    MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win); /* @invalid-op */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
