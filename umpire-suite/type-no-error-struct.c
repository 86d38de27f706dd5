/* SPDX-License-Identifier: BSD-3-Clause */
/* A struct type, committed and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};

    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
