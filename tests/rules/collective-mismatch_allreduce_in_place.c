/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 0 reduces in place, the others do not, in a communicator of its own. */
/* Twin: all ranks reduce in place, in a communicator of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1, y = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
#ifdef TWIN
    MPI_Allreduce(MPI_IN_PLACE, &y, 1, MPI_INT, MPI_SUM, comm);
#else
    MPI_Allreduce(rank == 0 ? MPI_IN_PLACE : &x, &y, 1, MPI_INT, MPI_SUM, comm); /* @collective-mismatch */
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return x - 1;
}
