/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 dies in the first run in which the message of rank 3 is its first one, and in no other: argv[1] is a
 * folder that is made then. */
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, from;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (from == 3 && syscall(SYS_mkdir, argv[1], 0700) == 0)
            _exit(3);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        usleep(rank == 3 ? 0 : 300000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
