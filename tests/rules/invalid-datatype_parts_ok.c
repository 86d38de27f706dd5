/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* What a type is made of need not be committed, and may be freed when the type is made; a pending message keeps its type. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x[6] = {0};
    MPI_Datatype part, type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(3, 1, 2, MPI_INT, &part);
    MPI_Type_contiguous(1, part, &type);
    MPI_Type_free(&part);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Isend(x, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(x, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
