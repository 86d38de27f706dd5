/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be asked before MPI_Init. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag, version, subversion;

    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    if (!flag)
        MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
