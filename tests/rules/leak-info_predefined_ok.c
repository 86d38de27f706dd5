/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* MPI_INFO_ENV belongs to MPI; an info object may be freed after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Info_get_nkeys(MPI_INFO_ENV, &n);
    MPI_Info_dup(MPI_INFO_ENV, &info);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
