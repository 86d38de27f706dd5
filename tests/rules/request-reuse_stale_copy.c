/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 0 keeps a copy of a request, completes the request, and waits for the copy, while another request is pending. */
/* Twin: rank 0 keeps a copy of a request, and completes that alone: a copy is as good as the original. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2] = {1, 2};
    MPI_Comm comm;
    MPI_Request r, copy, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Irecv(&x[0], 1, MPI_INT, 1 - rank, 0, comm, &r);
    copy = r;
    MPI_Send(&x[1], 1, MPI_INT, 1 - rank, 0, comm);
#ifdef TWIN
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &other);
#else
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &other);
    MPI_Wait(&copy, MPI_STATUS_IGNORE); /* @request-reuse */
#endif
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
