/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* MPI_Iprobe finds the second message of rank 1 only if MPI buffers the first, which rank 0 receives last. Then ranks 0 and 2 meet
 * head to head, and deadlock if MPI does not buffer those (MPI-4.0, 3.4, 3.5 and 3.8.1). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, got, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
#ifdef TWIN
        flag = 0;
#endif
        if (flag) {
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD); /* @unsafe-buffering */
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&got, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        }
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* @unsafe-buffering? */
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
