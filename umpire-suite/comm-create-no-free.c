/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 make a communicator and never free it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int first[2] = {0, 1};
    MPI_Group all, two;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, first, &two);
    MPI_Comm_create(MPI_COMM_WORLD, two, &comm); /* @leak-communicator */
    if (comm != MPI_COMM_NULL)
        MPI_Barrier(comm);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
