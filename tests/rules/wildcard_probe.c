/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 0 probes for any message on a communicator of its own. */
/* Twin: rank 0 probes for the message of rank 2 on a communicator of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {0};
    MPI_Comm comm;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
#ifdef TWIN
        MPI_Probe(2, 0, comm, &status);
#else
        MPI_Probe(MPI_ANY_SOURCE, 0, comm, &status); /* @wildcard */
#endif
        MPI_Recv(x, 2, MPI_INT, status.MPI_SOURCE, 0, comm, MPI_STATUS_IGNORE);
        MPI_Recv(x, 2, MPI_INT, 3 - status.MPI_SOURCE, 0, comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(x, rank, MPI_INT, 0, 0, comm);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
