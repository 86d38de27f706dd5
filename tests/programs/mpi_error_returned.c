/* SPDX-License-Identifier: BSD-3-Clause */
/* A group with a rank that is not there; errors are returned, and handled: no finding. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int bad = 7;
    MPI_Group all, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (MPI_Group_incl(all, 1, &bad, &group) == MPI_SUCCESS) /* @invalid-rank */
        MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
