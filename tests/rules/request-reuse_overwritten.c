/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Both messages use one request variable: the first request is lost, and nothing completes it. */
/* Twin: each message has a variable of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0;
    MPI_Comm comm;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, comm, &r[0]);
#ifdef TWIN
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, comm, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#else
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, comm, &r[0]); /* @request-reuse */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
