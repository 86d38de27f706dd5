/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A server asks two sources in turn. Each MPI_Iprobe may say that nothing is there yet, however often the other one finds something: the three
 * messages of rank 2 may all come before the one of rank 1 (MPI-4.0, 3.8.1). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag, first = 0, second = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank == 0 && (first < 1 || second < 3)) {
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            first++;
#ifndef TWIN
            assert(second < 3); /* @assertion */
#endif
        }
        MPI_Iprobe(2, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            second++;
        }
    }
    for (int i = 0; rank > 0 && i < 2 * rank - 1; i++)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
