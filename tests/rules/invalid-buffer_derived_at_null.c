/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A derived type without absolute addresses, at a null pointer. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD); /* @invalid-buffer */
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
