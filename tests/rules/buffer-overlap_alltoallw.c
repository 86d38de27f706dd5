/* SPDX-License-Identifier: BSD-3-Clause */
/* Two blocks of MPI_Alltoallw are received into one place: displacements are bytes. */
/* Twin: two blocks of MPI_Alltoallw are received side by side. */
#include <mpi.h>

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, out[2] = {1, 2}, in[2], counts[2] = {1, 1}, from[2] = {0, 4}, to[2] = {0, 4};
#else
    int rank, out[2] = {1, 2}, in[2], counts[2] = {1, 1}, from[2] = {0, 4}, to[2] = {0, 1};
#endif
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Comm pair;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &pair);
    MPI_Ialltoallw(out, counts, from, types, in, counts, to, types, pair, &request); /* @buffer-overlap */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair);
    MPI_Finalize();
}
