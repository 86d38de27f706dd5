/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A reduction operation is used on a communicator of its own, and never freed. */
/* Twin: it is freed. */
#include <mpi.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int x = 1, sum;
    MPI_Comm comm;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Op_create(add, 1, &op); /* @leak-op */
    MPI_Allreduce(&x, &sum, 1, MPI_INT, op, comm);
#ifdef TWIN
    MPI_Op_free(&op);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
