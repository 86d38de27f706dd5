/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The sum is used before anybody has waited for it; its communicator is freed, which waits for nothing. */
/* Twin: the sum is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 1, sum = 0;
    MPI_Comm comm;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm, &r); /* @missing-wait */
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
