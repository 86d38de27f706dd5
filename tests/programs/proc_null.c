/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of call to MPI_PROC_NULL. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Status status;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Ssend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    assert(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Issend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    assert(status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Finalize();
    return 0;
}
