/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A copy of a communicator is used after the communicator was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(copy); /* @invalid-communicator */
    MPI_Finalize();
    return 0;
}
