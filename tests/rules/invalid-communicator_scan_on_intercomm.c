/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A prefix reduction on an intercommunicator, which has no order of ranks. */
/* Twin: a prefix reduction on the communicator that the intercommunicator was made of. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int sum;
    MPI_Comm half, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 0, &inter);
#ifdef TWIN
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
#else
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, inter); /* @invalid-communicator */
#endif
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
