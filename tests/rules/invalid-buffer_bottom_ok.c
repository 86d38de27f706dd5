/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A null pointer is a buffer if nothing is in it, or if the type has absolute addresses. */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 3, one = 1, empty = 0;
    MPI_Aint at;
    MPI_Datatype type, nothing;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_address(&x, &at);
    MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 5, nothing, 0, MPI_COMM_WORLD);
    MPI_Bcast(NULL, empty, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&nothing);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
