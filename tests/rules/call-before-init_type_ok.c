/* SPDX-License-Identifier: BSD-3-Clause */
/* A type is built by a library, after MPI_Init. */
#include <mpi.h>

static MPI_Datatype triple;

static void set_up(void)
{
    MPI_Type_contiguous(3, MPI_INT, &triple);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    set_up();
    MPI_Type_free(&triple);
    MPI_Finalize();
    return 0;
}
