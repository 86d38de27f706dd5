/* SPDX-License-Identifier: BSD-3-Clause */
/* A type is built before MPI_Init, in the initialization of a library. */
/* Twin: a type is built by a library, after MPI_Init. */
#include <mpi.h>

static MPI_Datatype triple;

static void set_up(void)
{
    MPI_Type_contiguous(3, MPI_INT, &triple); /* @call-before-init */
}

int main(int argc, char **argv)
{
#ifdef TWIN
    MPI_Init(&argc, &argv);
    set_up();
    MPI_Type_free(&triple);
#else
    set_up();
    MPI_Init(&argc, &argv);
#endif
    MPI_Finalize();
    return 0;
}
