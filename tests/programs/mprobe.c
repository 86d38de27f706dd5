/* SPDX-License-Identifier: BSD-3-Clause */
/* Mprobe and Mrecv, Improbe and Imrecv, for anybody. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        assert(x == status.MPI_SOURCE);
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Imrecv(&x, 1, MPI_INT, &message, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        assert(x == status.MPI_SOURCE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
