/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction by the program's own operation, which does not commute. */
#include <assert.h>
#include <mpi.h>

static void left(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int k = 0; k < *n; k++)
        ((int *)inout)[k] = ((int *)in)[k];
}

int main(int argc, char **argv)
{
    int rank, x;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(left, 0, &op);
    MPI_Allreduce(&rank, &x, 1, MPI_INT, op, MPI_COMM_WORLD);
    assert(x == 0);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
