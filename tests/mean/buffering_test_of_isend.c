/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Test of an MPI_Isend is true before its receive only if MPI buffers the message; then both ranks send first, and deadlock if MPI does
 * not buffer those (MPI-4.0, 3.4, 3.5 and 3.7.3). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first = 1, value = 2, got, flag;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#ifdef TWIN
        flag = 0;
#endif
        if (flag) {
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* @unsafe-buffering */
            MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
