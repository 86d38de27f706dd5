/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A copy of a communicator is used after the communicator was freed. */
/* Twin: the communicator is freed when it is used no more. */
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
#ifdef TWIN
    MPI_Barrier(copy);
    MPI_Comm_free(&comm);
#else
    MPI_Comm_free(&comm);
    MPI_Barrier(copy); /* @invalid-communicator */
#endif
    MPI_Finalize();
    return 0;
}
