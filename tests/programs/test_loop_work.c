/* SPDX-License-Identifier: BSD-3-Clause */
/* A Test loop that does some work of its own between two polls. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag, work = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
        for (;;) {
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
            if (flag)
                break;
            work++;
        }
        assert(x == 7 && work >= 0);
    } else {
        x = 7;
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
