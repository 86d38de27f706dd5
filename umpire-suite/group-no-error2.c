/* SPDX-License-Identifier: BSD-3-Clause */
/* Union, difference and intersection, all freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int first = 0;
    MPI_Group all, rest, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &first, &rest);
    MPI_Group_union(all, rest, &sum);
    MPI_Group_free(&sum);
    MPI_Group_free(&rest);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
