/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=3 */
/* Rank 1 waits for a file that nobody writes. */
/* Twin: rank 1 waits for a file that is always there. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef TWIN
    while (rank == 1 && access("/", F_OK) != 0) usleep(1000);
#else
    while (rank == 1 && access("/nonexistent/flag", F_OK) != 0) usleep(1000); /* @hang */
#endif
    MPI_Finalize();
    return 0;
}
