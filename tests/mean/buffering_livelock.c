/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 --livelock-rounds=20 */
/* In the order that needs a buffered message rank 0 polls for the end of a send whose receive comes after a message that rank 0 sends
 * later: for ever, if MPI does not buffer that one (MPI-4.0, 3.5). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got, flag = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
#ifndef TWIN
        if (status.MPI_SOURCE == 1) {
            MPI_Isend(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &request);
            while (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* @unsafe-buffering */
            MPI_Send(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
        } else
#endif
        {
            MPI_Isend(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &request);
            MPI_Send(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
            while (!flag)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 3 - status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&got, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
