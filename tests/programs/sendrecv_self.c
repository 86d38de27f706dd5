/* SPDX-License-Identifier: BSD-3-Clause */
/* Sendrecv, Isend and Sendrecv_replace to oneself. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 5, y = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(&y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, 2, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(x == 5);
    MPI_Finalize();
    return 0;
}
