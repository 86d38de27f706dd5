/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* One rank says that the operation commutes, the other one that it does not. */
/* Twin: both ranks say that the operation commutes. */
#include <mpi.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, x = 1, y;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Op_create(add, 1, &op);
#else
    MPI_Op_create(add, rank == 0, &op);
#endif
    MPI_Scan(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD); /* @collective-op-mismatch */
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
