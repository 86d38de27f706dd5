/* SPDX-License-Identifier: BSD-3-Clause */
/* A library tells an error of its own to the error handler of its communicator, which is MPI_ERRORS_ARE_FATAL. */
/* Twin: a library tells an error of its own to the error handler of its communicator: that gives it back
 * to the caller. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int class, rank;
    MPI_Comm mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
#ifdef TWIN
    MPI_Comm_set_errhandler(mine, MPI_ERRORS_RETURN);
#endif
    MPI_Add_error_class(&class);
    MPI_Add_error_string(class, "the solver does not converge");
    MPI_Comm_call_errhandler(mine, class); /* @mpi-error */
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
