/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A derived type with blocks of a negative length. */
/* Twin: a derived type with blocks of two elements. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
#else
    MPI_Type_vector(3, -2, 4, MPI_INT, &type); /* @invalid-count */
#endif
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
