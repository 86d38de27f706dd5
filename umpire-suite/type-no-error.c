/* SPDX-License-Identifier: BSD-3-Clause */
/* A contiguous type, committed and freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
