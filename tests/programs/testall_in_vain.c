/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls that change the program for two rounds. isp plays its runs again with some sends buffered, since the
 * last MPI_Test can only be true then: there MPI_Testall comes to where it was false in the run, and must now
 * be true. That once had no end. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out[2] = {1, 2}, in, done = 0, waited = 0;
    MPI_Request sends[2], receive;
    MPI_Status statuses[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&out[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &sends[0]);
        MPI_Isend(&out[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &sends[1]);
        for (; !done; waited += !done && waited < 2)
            MPI_Testall(2, sends, &done, statuses);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &receive);
            for (done = 0; !done; waited += !done && waited < 2)
                MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
        }
    }
    if (rank == 0) {
        MPI_Isend(&out[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &sends[0]);
        MPI_Test(&sends[0], &done, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
    else
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
