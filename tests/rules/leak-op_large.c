/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* The same for the operation of large counts. */
/* Twin: it is freed. */
#include <mpi.h>

static void add(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    for (MPI_Count i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int x = 1, sum;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Op_create_c(add, 1, &op); /* @leak-op */
    MPI_Allreduce(&x, &sum, 1, MPI_INT, op, MPI_COMM_SELF);
#ifdef TWIN
    MPI_Op_free(&op);
#endif
    MPI_Finalize();
    return 0;
}
