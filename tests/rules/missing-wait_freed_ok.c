/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A request that is given back by MPI_Request_free is completed by itself; so is one that MPI_Testany has completed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y = 2, flag = 0, which;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        MPI_Request_free(&r);
        MPI_Isend(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r);
        while (!flag)
            MPI_Testany(1, &r, &which, &flag, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
