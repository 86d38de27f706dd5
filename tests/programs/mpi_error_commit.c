/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_DATATYPE_NULL is committed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;

    MPI_Init(&argc, &argv);
    MPI_Type_commit(&type); /* @invalid-datatype */
    MPI_Finalize();
    return 0;
}
