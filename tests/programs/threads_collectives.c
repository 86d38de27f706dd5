/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads per rank, each with collectives on its own communicator, and one that makes a communicator. The threads of one
 * rank come in any order; the calls inside MPI must be in the same order on all ranks, or they wait for each other. */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, bad = 0;
    MPI_Comm comms[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel num_threads(2) reduction(+ : bad)
    for (int step = 0; step < 5; step++) {
        int mine = omp_get_thread_num(), sum = 0, size;
        MPI_Comm more;
        if ((rank + step) % 2 == mine)
            for (volatile int i = 0; i < 100000; i++)
                ;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[mine]);
        MPI_Comm_size(comms[mine], &size);
        bad += sum != size * (size - 1) / 2;
        MPI_Comm_dup(comms[mine], &more);
        MPI_Barrier(more);
        MPI_Comm_free(&more);
    }
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return bad;
}
