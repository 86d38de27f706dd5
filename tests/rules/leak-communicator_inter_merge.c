/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* The intercommunicator is freed, the one that was merged from it is not. */
/* Twin: both are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half, both, merged;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    MPI_Intercomm_merge(both, rank % 2, &merged); /* @leak-communicator */
    MPI_Comm_free(&half);
    MPI_Comm_free(&both);
#ifdef TWIN
    MPI_Comm_free(&merged);
#endif
    MPI_Finalize();
    return 0;
}
