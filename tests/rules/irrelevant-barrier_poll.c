/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A barrier after which a message is sent that a poll before it cannot see, whatever the barrier does. */
/* Twin: a barrier before which a message is sent that a poll could see. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, there = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
#ifdef TWIN
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
#else
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
#endif
    MPI_Barrier(MPI_COMM_WORLD); /* @irrelevant-barrier */
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
