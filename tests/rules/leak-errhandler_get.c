/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_Comm_get_errhandler gives a new handle each time. */
/* Twin: each is freed. */
#include <mpi.h>

static void handler(MPI_Comm *comm, int *code, ...)
{
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(handler, &h);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
    MPI_Errhandler_free(&h);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h); /* @leak-errhandler */
#ifdef TWIN
        MPI_Errhandler_free(&h);
#endif
    }
    MPI_Finalize();
    return 0;
}
