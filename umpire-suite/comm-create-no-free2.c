/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups that the communicator was made from are never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int first[2] = {1, 0};
    MPI_Group all, two;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all); /* @leak-group */
    MPI_Group_incl(all, 2, first, &two); /* @leak-group */
    MPI_Comm_create(MPI_COMM_WORLD, two, &comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
