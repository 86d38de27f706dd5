/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* In each round rank 0 takes one message of each rank by its name: the barrier in a communicator of all orders nothing. */
/* Twin: in each round rank 0 takes any messages: the barrier in a communicator of all keeps the rounds
 * apart. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i < 3 && rank == 0; i++)
#ifdef TWIN
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
#else
            MPI_Recv(&x, 1, MPI_INT, i, 0, comm, MPI_STATUS_IGNORE);
#endif
        if (rank > 0)
            MPI_Send(&x, 1, MPI_INT, 0, 0, comm);
        MPI_Barrier(comm); /* @irrelevant-barrier */
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
