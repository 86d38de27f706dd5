/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitall over requests of which some are MPI_REQUEST_NULL. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, index, flag, done[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request r[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[1]);
    } else {
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[2]);
    }
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    MPI_Waitany(4, r, &index, MPI_STATUS_IGNORE);
    assert(index == MPI_UNDEFINED);
    MPI_Waitsome(4, r, &index, done, MPI_STATUSES_IGNORE);
    assert(index == MPI_UNDEFINED);
    MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);
    assert(flag);
    MPI_Finalize();
    return 0;
}
