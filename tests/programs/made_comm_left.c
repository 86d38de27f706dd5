/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is done before the barrier on a communicator that was made, and does not free it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#ifndef TWIN
    if (rank == 0)
#endif
    {
        MPI_Barrier(comm); /* @deadlock */
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
