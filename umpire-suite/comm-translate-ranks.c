/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks run backwards in the new communicator, and are translated before they are used. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, peer = 0, there;
    MPI_Group world, group;
    MPI_Comm reversed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(reversed, &group);
    MPI_Group_translate_ranks(world, 1, &peer, group, &there);
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, there, 0, reversed);
    } else {
        MPI_Recv(&x, 1, MPI_INT, there, 0, reversed, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
