/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Predefined error handlers: a handle that MPI_Comm_get_errhandler gives of one may be freed or not. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Errhandler h;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, h);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &h);
    MPI_Errhandler_free(&h);
    MPI_Finalize();
    return 0;
}
