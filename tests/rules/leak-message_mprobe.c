/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A message is taken by MPI_Mprobe, on a communicator of its own, and never received. */
/* Twin: it is received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Comm comm;
    MPI_Message message;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        MPI_Bsend_init(&x, 1, MPI_INT, 1, 0, comm, &r);
        MPI_Request_free(&r);
        MPI_Isend(&x, 1, MPI_INT, 1, 0, comm, &r);
        MPI_Request_free(&r);
    } else {
        MPI_Mprobe(0, 0, comm, &message, MPI_STATUS_IGNORE); /* @leak-message */
#ifdef TWIN
        MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
