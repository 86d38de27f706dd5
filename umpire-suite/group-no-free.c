/* SPDX-License-Identifier: BSD-3-Clause */
/* The group of a communicator is never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &group); /* @leak-group */
    MPI_Group_size(group, &size);
    MPI_Finalize();
    return 0;
}
