/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive is posted first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0, y = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
