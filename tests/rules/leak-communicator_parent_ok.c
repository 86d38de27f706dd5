/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Handles that nobody has to free: the parent of a program that was not spawned, predefined communicators and types, and handles of what is null. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, none;
    MPI_Errhandler handler;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, sizeof(int), &type);
    MPI_Finalize();
    return 0;
}
