/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A probe with MPI_ANY_SOURCE has found a message; a receive with MPI_ANY_SOURCE may take the other one
 * (MPI-4.0, 3.8.1: only with the source and tag of the status is it the same). The twin asks for that
 * source. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value;
    MPI_Status found, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found);
#ifdef TWIN
        MPI_Recv(&value, 1, MPI_INT, found.MPI_SOURCE, 0, MPI_COMM_WORLD, &got);
#else
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &got);
#endif
        assert(got.MPI_SOURCE == found.MPI_SOURCE); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &got);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
