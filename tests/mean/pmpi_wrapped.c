/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The program has MPI_Send and MPI_Recv of its own around PMPI_Send and PMPI_Recv, with a helper of the
 * tool in between (MPI-4.0, section 15.2). Rank 0 receives from anybody and then from rank 2: it deadlocks
 * if the first message was rank 2's. */
#include <mpi.h>

static int calls;

static int counted(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    calls++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int rc = counted(buffer, count, type, to, tag, comm);
    calls++;
    return rc;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    int rc = PMPI_Recv(buffer, count, type, from, tag, comm, status);
    calls++;
    return rc;
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
    return calls < 1;
}
/* interleavings 2, twin 2 */
