/* SPDX-License-Identifier: BSD-3-Clause */
/* A group with a rank that is not there; errors are fatal. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int bad = 7;
    MPI_Group all, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &bad, &group); /* @invalid-rank */
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
