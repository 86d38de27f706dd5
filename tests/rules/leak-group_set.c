/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Groups are made of groups, and only the last is freed. */
/* Twin: all are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int zero = 0;
    MPI_Comm comm;
    MPI_Group all, first, others;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &all); /* @leak-group */
    MPI_Group_incl(all, 1, &zero, &first); /* @leak-group */
    MPI_Group_difference(all, first, &others);
    MPI_Group_free(&others);
#ifdef TWIN
    MPI_Group_free(&first);
    MPI_Group_free(&all);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
