/* SPDX-License-Identifier: BSD-3-Clause */
/* A type is built before MPI_Init, in the initialization of a library. */
#include <mpi.h>

static MPI_Datatype triple;

static void set_up(void)
{
    MPI_Type_contiguous(3, MPI_INT, &triple); /* @call-before-init */
}

int main(int argc, char **argv)
{
    set_up();
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
