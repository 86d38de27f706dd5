/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks with four OpenMP threads each. Every thread of rank 0 takes two messages with its own tag from anyone: one
 * that it has sent itself, and one of a thread of rank 1. Two orders per thread, 2^4 in all. */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(4)
    {
        int tag = omp_get_thread_num(), data = rank, got[2];
        MPI_Request own;
        if (rank == 1) {
            MPI_Send(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        } else {
            MPI_Isend(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &own);
            for (int i = 0; i < 2; i++)
                MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&own, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return level != MPI_THREAD_MULTIPLE;
}
