/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A derived type without absolute addresses, at a null pointer. */
/* Twin: a derived type at an array. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    int x[6] = {0};
#endif
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
#ifdef TWIN
    MPI_Bcast(x, 1, type, 0, MPI_COMM_WORLD);
#else
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD); /* @invalid-buffer */
#endif
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
