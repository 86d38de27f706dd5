/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that keeps the request in a variable of its own before it hands it out, and completes with
 * PMPI_Test. The request that the program never completes was made by the program's line (MPI-4.0, section
 * 3.7.3). */
#include <mpi.h>

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    MPI_Request made;
    int rc = PMPI_Isend(buffer, count, type, to, tag, comm, &made);
    *request = made;
    return rc;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int flag = 0, rc = MPI_SUCCESS;
    while (!flag)
        rc = PMPI_Test(request, &flag, status);
    return rc;
}

int main(int argc, char **argv)
{
    int rank, values[2] = {1, 2};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&values[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]); /* @missing-wait */
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&values[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&values[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
