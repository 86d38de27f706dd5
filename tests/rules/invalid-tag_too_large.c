/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A tag that is larger than MPI_TAG_UB. */
/* Twin: a tag that is as large as it may be. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0, found, *most;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &most, &found);
#ifdef TWIN
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, *most, comm, &request);
#else
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, *most + 1, comm, &request); /* @invalid-tag */
#endif
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
