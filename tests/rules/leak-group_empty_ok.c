/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_GROUP_EMPTY need not be freed, wherever it comes from, and may be. */
#include <mpi.h>

#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_Group all, none[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 0, NULL, &none[0]);
    MPI_Group_difference(all, all, &none[1]);
    for (int i = 0; i < 2; i++)
        if (none[i] != MPI_GROUP_EMPTY)
            MPI_Group_free(&none[i]);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
