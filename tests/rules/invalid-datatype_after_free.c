/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A copy of a datatype is used after the datatype was freed. */
/* Twin: the datatype is freed when it is used no more. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[2] = {0}, all[4];
    MPI_Datatype pair, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    copy = pair;
#ifdef TWIN
    MPI_Allgather(x, 1, copy, all, 1, copy, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
#else
    MPI_Type_free(&pair);
    MPI_Allgather(x, 1, copy, all, 1, copy, MPI_COMM_WORLD); /* @invalid-datatype */
#endif
    MPI_Finalize();
    return 0;
}
