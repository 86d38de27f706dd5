/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in place, and a root that gathers with MPI_IN_PLACE while its own piece is sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, all[2] = {1, 2};
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&all[rank], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
    int other;
    MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
}
