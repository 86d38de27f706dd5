/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A copy of a group is used after the group was freed. */
/* Twin: a group is freed when it is used no more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Group group, copy;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, (int[]){1, 0}, &group);
    MPI_Group_free(&all);
    copy = group;
#ifdef TWIN
    MPI_Comm_create(MPI_COMM_WORLD, copy, &comm);
    MPI_Group_free(&group);
#else
    MPI_Group_free(&group);
    MPI_Comm_create(MPI_COMM_WORLD, copy, &comm); /* @invalid-argument */
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
