/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups made as they should be, with errors returned. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int good = 1;
    MPI_Group all, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    assert(MPI_Group_incl(all, 1, &good, &group) == MPI_SUCCESS);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
