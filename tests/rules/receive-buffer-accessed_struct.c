/* SPDX-License-Identifier: BSD-3-Clause */
/* A member that a derived type names is written while it is being received. */
/* Twin: the member is written when it has been received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    struct { char c; double d; } x = {'a', 1};
    int lengths[2] = {1, 1};
    MPI_Aint displs[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE}, pair;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, displs, types, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Irecv(&x, 1, pair, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        x.d = 4;
#else
        x.d = 4; /* @receive-buffer-accessed */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(&x, 1, pair, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
}
