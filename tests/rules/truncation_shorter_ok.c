/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A message may be shorter than its receive allows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n, x[8] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(x, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        MPI_Recv(x, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
