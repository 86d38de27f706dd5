/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The program has MPI_Send and MPI_Recv of its own, made of other functions of MPI, and nothing in it calls
 * PMPI_X. What goes wrong in them is told where they are called. Rank 0 receives from anybody and then from
 * rank 2: it deadlocks if the first message was rank 2's (MPI-4.1, section 3.5). */
#include <mpi.h>

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    MPI_Isend(buffer, count, type, to, tag, comm, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    MPI_Irecv(buffer, count, type, from, tag, comm, &request);
    return MPI_Wait(&request, status);
}

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef TWIN
        MPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
#else
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status); /* @deadlock */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
