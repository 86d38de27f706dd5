/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The part of an array that goes beyond its end. */
/* Twin: the part of an array that is at its end. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifdef TWIN
    int size_[2] = {8, 8}, part[2] = {4, 4}, start[2] = {0, 4};
#else
    int size_[2] = {8, 8}, part[2] = {4, 4}, start[2] = {0, 5};
#endif
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_subarray(2, size_, part, start, MPI_ORDER_C, MPI_DOUBLE, &type); /* @invalid-argument */
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
