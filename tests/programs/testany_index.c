/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong if Testany finds the second request. */
/* Twin: Testany may find none, the first or the second. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[2], index, flag;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&x[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
#ifdef TWIN
        assert(!flag || x[index] == index + 1);
#else
        assert(!flag || index == 0); /* @assertion */
#endif
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
