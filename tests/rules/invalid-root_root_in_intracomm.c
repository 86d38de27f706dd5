/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_ROOT is for intercommunicators. */
/* Twin: the root is a rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0, all[2];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    MPI_Igather(&x, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
#else
    MPI_Igather(&x, 1, MPI_INT, all, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD, &request); /* @invalid-root */
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
