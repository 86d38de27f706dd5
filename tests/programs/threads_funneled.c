/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_FUNNELED: inside of a parallel region the master calls MPI, and the others wait for it at a barrier. */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, got = -1, bad = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(4) reduction(+ : bad)
    for (int step = 0; step < 3; step++) {
#pragma omp master
        {
            if (rank == 0)
                for (int i = 0; i < 2; i++)
                    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else
                MPI_Send(&step, 1, MPI_INT, 0, step, MPI_COMM_WORLD);
        }
#pragma omp barrier
        bad += rank == 0 && got != step;
#pragma omp barrier
    }
    MPI_Finalize();
    return bad;
}
