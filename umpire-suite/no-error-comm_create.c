/* SPDX-License-Identifier: BSD-3-Clause */
/* An exchange in a communicator of MPI_Comm_create, one rank sending first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm comm;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Group_free(&group);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 0, comm);
        MPI_Recv(&x, 1, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, comm);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
