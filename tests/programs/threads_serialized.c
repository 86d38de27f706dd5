/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_SERIALIZED: every thread sends and receives, one at a time. Who comes first depends on time; each thread's
 * own calls do not. */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, bad = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(4) reduction(+ : bad)
    for (int step = 0; step < 2; step++) {
        int mine = omp_get_thread_num(), got = -1;
        MPI_Request requests[2];
#pragma omp critical
        {
            MPI_Irecv(&got, 1, MPI_INT, 1 - rank, mine, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(&mine, 1, MPI_INT, 1 - rank, mine, MPI_COMM_WORLD, &requests[1]);
        }
        /* all have posted: so nobody waits inside of the critical section for what another thread is to do */
#pragma omp barrier
#pragma omp critical
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        bad += got != mine;
    }
    MPI_Finalize();
    return bad;
}
