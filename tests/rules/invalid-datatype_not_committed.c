/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A message of a type that was never committed. */
/* Twin: a message of a type that was committed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[6] = {0};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
#ifdef TWIN
    MPI_Type_commit(&type);
#endif
    if (rank == 0)
        MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD); /* @invalid-datatype */
    else
        MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
