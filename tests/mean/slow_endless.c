/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --max-time=2 */
/* Rank 1 computes for ever, and makes no MPI call: no bound of the search ends this run but its time
 * (--timeout is longer). The twin's rank does so for a moment. */
/* incomplete: interleaving 0 was not over; 2 s (--max-time) are over */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (rank == 1)
        usleep(100000);
#else
    while (rank == 1)
        usleep(100000);
#endif
    MPI_Finalize();
    return 0;
}
