/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An error handler is set on a communicator; its own handle is never freed. */
/* Twin: it is freed: the communicator keeps what it needs. */
#include <mpi.h>

static void handler(MPI_Comm *comm, int *code, ...)
{
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Errhandler h;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &h); /* @leak-errhandler */
    MPI_Comm_set_errhandler(comm, h);
#ifdef TWIN
    MPI_Errhandler_free(&h);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
