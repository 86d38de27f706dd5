/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=5 --max-time=9 */
/* A rank dies while others have choices before them: after each of these the run goes on, and it goes back to
 * them, without waiting for the dead (MPI-4.0, 2.8: what the others do after an error is left open, so they
 * may still go on). */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank < 3) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        MPI_Abort(MPI_COMM_WORLD, 3); /* @abort */
#endif
    }
    MPI_Finalize();
    return 0;
}
