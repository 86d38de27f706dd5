/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator is duplicated before MPI_Init. */
/* Twin: what may be called before MPI_Init: MPI_Initialized, MPI_Get_version, info objects. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    MPI_Info info;
    int there, version, minor;
#else
    MPI_Comm mine = MPI_COMM_NULL;
    int there;
#endif

    MPI_Initialized(&there);
    if (!there)
#ifdef TWIN
        MPI_Get_version(&version, &minor);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
#else
        MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* @call-before-init */
#endif
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
