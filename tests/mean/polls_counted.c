/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 0 gives up after 50 polls that failed, as each of them may (MPI-4.0, 3.8.1). The twin counts none. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0, tries = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag && tries < 50) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
#ifndef TWIN
            tries++;
#endif
        }
        assert(flag); /* @assertion */
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
