/* SPDX-License-Identifier: BSD-3-Clause */
/* The same with OpenMP's critical sections, and receives (MPI-4.0, 3.5 and 11.6.2). */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#pragma omp parallel num_threads(2)
        {
            int tag = 0, number;
#ifdef TWIN
            tag = omp_get_thread_num();
#endif
#pragma omp critical(mpi)
            MPI_Recv(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++) {
            int tag = 0;
#ifdef TWIN
            tag = i;
#endif
            MPI_Isend(&numbers[i], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
/* incomplete: one order was run in which threads get a mutex around MPI calls that compete: MPI_Recv at */
