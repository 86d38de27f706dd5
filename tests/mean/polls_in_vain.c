/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --timeout=2 */
/* Rank 0 counts its polls, for what never comes: nobody can tell that it will not give up one day, only that it has not for the time-out. */
/* incomplete: a rank hung */
#include <assert.h>
#include <mpi.h>
#include <limits.h>

int main(int argc, char **argv)
{
    int rank, flag = 0;
    long tries = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag && tries < LONG_MAX) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* @hang */
            tries += 1;
#ifdef TWIN
            if (tries == 20)
                break;
#endif
        }
    } else {
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
