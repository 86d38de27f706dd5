/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --stacks */
/* A function makes types for its callers; two of them forget to free their own: with --stacks the report names both. */
/* Twin: all callers free what they got. */
#include <mpi.h>

static MPI_Datatype make(int n)
{
    MPI_Datatype t;
    MPI_Type_contiguous(n, MPI_INT, &t); /* @leak-datatype */
    MPI_Type_commit(&t);
    return t;
}

static void use(int n)
{
    MPI_Datatype t = make(n);
    MPI_Type_free(&t);
}

static void forget(int n)
{
#ifdef TWIN
    MPI_Datatype t = make(n);
    MPI_Type_free(&t);
#else
    make(n);
#endif
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < 4; i++) {
        use(i);
        forget(i);
    }
#ifndef TWIN
    make(2);
#endif
    MPI_Finalize();
    return 0;
}
