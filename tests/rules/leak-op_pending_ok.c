/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An operation that is freed while a reduction with it is pending. */
#include <mpi.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int x = 1, sum;
    MPI_Op op;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(&x, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &r);
    MPI_Op_free(&op);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
