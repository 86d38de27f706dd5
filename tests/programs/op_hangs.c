/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction operation of the program that never ends, while its rank waits in a receive: a checkpoint must not wait for it. */
#include <mpi.h>

static volatile int forever = 1;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    while (forever)
        ;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, size, one = 1, sum = 0, got;
    MPI_Op op;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 1, &op);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    if (rank == 0)
        for (int i = 1; i < size; i++)
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @hang */
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
