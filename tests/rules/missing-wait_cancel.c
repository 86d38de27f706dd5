/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* A receive is cancelled and then forgotten: a cancelled request must be completed too. */
/* Twin: the cancelled request is waited for. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &r); /* @missing-wait */
    MPI_Cancel(&r);
#ifdef TWIN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
