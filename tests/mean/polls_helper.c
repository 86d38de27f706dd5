/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Both requests are tested by one line of a function. They are two polls all the same: neither may be complete (MPI-4.0, 3.7.3). */
#include <assert.h>
#include <mpi.h>

static int is_there(MPI_Request *request)
{
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

int main(int argc, char **argv)
{
    int rank, a = 0, b = 0;
    MPI_Request first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &first);
        MPI_Irecv(&b, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &second);
        int early = is_there(&first), late = is_there(&second);
#ifndef TWIN
        assert(early || late); /* @assertion */
#endif
        if (!early)
            MPI_Wait(&first, MPI_STATUS_IGNORE);
        if (!late)
            MPI_Wait(&second, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
