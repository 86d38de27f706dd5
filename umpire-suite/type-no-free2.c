/* SPDX-License-Identifier: BSD-3-Clause */
/* A vector type is committed and never freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type); /* @leak-datatype */
    MPI_Type_commit(&type);
    MPI_Finalize();
    return 0;
}
