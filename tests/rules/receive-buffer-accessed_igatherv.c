/* SPDX-License-Identifier: BSD-3-Clause */
/* The root writes into the space of a pending gathering. */
/* Twin: the root writes when the gathering is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, all[3] = {0}, counts[2] = {1, 1}, displs[2] = {2, 0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Igatherv(&rank, 1, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD, &request); /* @receive-buffer-accessed? */
#ifdef TWIN
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) all[2] = 7;
#else
    if (rank == 0) all[2] = 7; /* @receive-buffer-accessed? */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
}
