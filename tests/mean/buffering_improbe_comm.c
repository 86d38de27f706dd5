/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* MPI_Improbe sees the message only if MPI buffered one on another communicator before; what it leads to deadlocks if MPI does not buffer the
 * next ones (MPI-4.0, 3.5 and 3.8.2). Communicators are made in between, in another order on other ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got, flag;
    MPI_Comm pair = MPI_COMM_NULL, all;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank, &pair);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    if (rank == 0) {
        MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        if (flag)
            MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
#ifndef TWIN
        if (flag)
            MPI_Send(&value, 1, MPI_INT, 2, 3, all); /* @unsafe-buffering */
#endif
        MPI_Recv(&got, 1, MPI_INT, 2, 3, all, MPI_STATUS_IGNORE);
#ifndef TWIN
        if (!flag)
#endif
            MPI_Send(&value, 1, MPI_INT, 2, 3, all);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, pair, MPI_STATUS_IGNORE);
        if (!flag)
            MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, pair);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 3, all); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, all, MPI_STATUS_IGNORE);
    }
    if (pair != MPI_COMM_NULL)
        MPI_Comm_free(&pair);
    MPI_Comm_free(&all);
    MPI_Finalize();
    return 0;
}
