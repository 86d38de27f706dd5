/* SPDX-License-Identifier: BSD-3-Clause */
/* Which findings a run has depends on the order of three messages; 4 ranks, 6 interleavings. A datatype leaks
 * where all ranks come to their end, a communicator where rank 1 is not the last one; a request is never
 * completed where rank 3 comes first; and there is a deadlock where the order is 3, 2, 1. */
#include <mpi.h>
#include <stddef.h>

static void receive(int *order)
{
    int value;
    MPI_Status status;
    for (int i = 0; i < 3; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        order[i] = status.MPI_SOURCE;
    }
}

int main(int argc, char **argv)
{
    int rank, value = 0, order[3];
    MPI_Comm leaks;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &type);
    if (rank == 0) {
        receive(order);
        if (order[2] != 1)
            MPI_Comm_dup(MPI_COMM_SELF, &leaks);
        if (order[0] == 3)
            MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        if (order[0] == 3 && order[1] == 2)
            MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
