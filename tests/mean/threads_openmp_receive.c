/* SPDX-License-Identifier: BSD-3-Clause */
/* Three OpenMP threads receive alike, and each answers with its number: any thread may have got any message (MPI-4.0, 3.5). In the twin a
 * thread's messages have its number as their tag. */
#include <assert.h>
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, answers[3];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#pragma omp parallel num_threads(3)
        {
            int tag = 0, task, me = omp_get_thread_num();
#ifdef TWIN
            tag = me;
#endif
            MPI_Recv(&task, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&me, 1, MPI_INT, 1, 10 + task, MPI_COMM_WORLD);
        }
    } else {
        for (int i = 0; i < 3; i++) {
            int tag = 0;
#ifdef TWIN
            tag = i;
#endif
            MPI_Send(&i, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
        for (int i = 0; i < 3; i++)
            MPI_Recv(&answers[i], 1, MPI_INT, 0, 10 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(answers[0] != 2 || answers[1] != 1); /* @assertion */
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 6, twin 1 */
