/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Two receives are tested in turn. That one is complete says nothing about the other: three of rank 2 may complete before the one of rank 1
 * (MPI-4.0, 3.7.3). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 0, b = 0, flag, n = 0;
    MPI_Request first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &first);
        MPI_Irecv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &second);
        for (;;) {
            MPI_Test(&first, &flag, MPI_STATUS_IGNORE);
            if (flag)
                break;
            if (n == 3)
                continue;
            MPI_Test(&second, &flag, MPI_STATUS_IGNORE);
            if (flag && ++n < 3)
                MPI_Irecv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &second);
        }
#ifndef TWIN
        assert(n < 3); /* @assertion */
#endif
        for (; n < 3; n++) {
            MPI_Wait(&second, MPI_STATUS_IGNORE);
            if (n < 2)
                MPI_Irecv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &second);
        }
    }
    for (int i = 0; rank > 0 && i < 2 * rank - 1; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
