/* SPDX-License-Identifier: BSD-3-Clause */
/* A request that no call has set: MPI's error, not a call that isp cannot model. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request = (MPI_Request)0x12345678;

    MPI_Init(&argc, &argv);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* @invalid-request */
    MPI_Finalize();
    return 0;
}
