/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status may fail as often as it likes before it has once succeeded (MPI-4.0, 3.7.6). */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0, tries = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        do
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        while (!flag && ++tries < 3);
#ifndef TWIN
        assert(flag); /* @assertion */
#endif
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
