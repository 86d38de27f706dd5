/* SPDX-License-Identifier: BSD-3-Clause */
/* The handler that the program has set on its communicator counts, whatever that of
 * MPI_COMM_WORLD is: this error ends the program. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int buffer = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Send(&buffer, 1, MPI_INT, 1000, 0, comm); /* @invalid-rank */
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
