/* SPDX-License-Identifier: BSD-3-Clause */
/* Behind a barrier of OpenMP two threads of a team receive what comes next: which is first nobody says
 * (MPI-4.0, 3.5 and 11.6.1). In the twin the messages have tags. */
#include <assert.h>
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, got[2], tags[] = {0, 0}, numbers[] = {1, 2};

#ifdef TWIN
    tags[1] = 1;
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#pragma omp parallel num_threads(2)
        {
            int mine = omp_get_thread_num();
#pragma omp barrier
            MPI_Recv(&got[mine], 1, MPI_INT, 1, tags[mine], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        assert(got[0] == 1); /* @assertion */
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Send(&numbers[i], 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */
