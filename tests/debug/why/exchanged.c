/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoall, then MPI_Ialltoallv of what came, then MPI_Allgather in place. */
/* @ask 3: focus 0; why row[2]; why; why back[1]; why; why */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, to[3], got[3], back[3] = {0}, row[3] = {0};
    int ones[] = {1, 1, 1}, places[] = {0, 1, 2}, turned[] = {2, 1, 0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        to[i] = 100 * rank + 10 * i; /* @wrong 0 */
    MPI_Alltoall(to, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Ialltoallv(got, ones, turned, MPI_INT, back, ones, places, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    row[rank] = back[1] + 1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, row, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return row[0] > 1000;
}
