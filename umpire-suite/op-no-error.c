/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction operation, used and freed. */
#include <mpi.h>

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;

    (void)type;
    for (int k = 0; k < *n; k++)
        b[k] = a[k] > b[k] ? a[k] : b[k];
}

int main(int argc, char **argv)
{
    int x = 1, y;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
