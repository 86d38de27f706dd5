/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_MULTIPLE is asked for, as many libraries do, and there is one thread: checkpoints and states are
 * as without. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, from, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; !rank && i < 4 * (size - 1); i++)
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; rank && i < 4; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
