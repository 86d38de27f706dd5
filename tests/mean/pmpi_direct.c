/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* All calls are PMPI_X, which do what MPI_X does (MPI-4.0, section 15.2.1). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Status status;
        PMPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        PMPI_Wait(&request, &status);
#ifdef TWIN
        PMPI_Recv(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
#else
        PMPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status); /* @deadlock */
#endif
    } else {
        PMPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    PMPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */
