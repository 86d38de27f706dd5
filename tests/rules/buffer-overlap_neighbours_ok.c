/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of ranks exchanges with its neighbours: pieces of those that are not there are not used. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out[2] = {1, 2}, in[2] = {0}, counts[2] = {1, 1}, from[2] = {0, 1}, to[2], dims[1] = {2}, periods[1] = {0};
    MPI_Comm line;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    to[0] = rank == 0 ? 1 : 0;
    to[1] = rank == 0 ? 1 : 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Ineighbor_alltoallv(out, counts, from, MPI_INT, in, counts, to, MPI_INT, line, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&line);
    MPI_Finalize();
}
