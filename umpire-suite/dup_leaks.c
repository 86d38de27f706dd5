/* SPDX-License-Identifier: BSD-3-Clause */
/* Three duplicates from one line, none freed: one finding with a count. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm dup[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 3; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &dup[k]); /* @leak-communicator */
    MPI_Barrier(dup[2]);
    MPI_Finalize();
    return 0;
}
