/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks receive before they send, in a communicator of MPI_Comm_split. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE); /* @deadlock */
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
