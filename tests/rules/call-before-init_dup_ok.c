/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be called before MPI_Init: MPI_Initialized, MPI_Get_version, info objects. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;
    int there, version, minor;

    MPI_Initialized(&there);
    if (!there)
        MPI_Get_version(&version, &minor);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
