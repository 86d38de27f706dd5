/* SPDX-License-Identifier: BSD-3-Clause */
/* A derived group outlives the one that it came from, and the program. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int first = 0;
    MPI_Group all, rest;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &first, &rest); /* @leak-group */
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
