/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Both ranks test until what they receive is there, and send only then. */
/* Twin: both ranks test until what they receive is there, after they have sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y, done = 0;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, comm, &request);
#ifdef TWIN
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, comm);
#endif
    while (!done)
        MPI_Testall(1, &request, &done, &status); /* @livelock */
#ifndef TWIN
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, comm);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
