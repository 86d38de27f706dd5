/* SPDX-License-Identifier: BSD-3-Clause */
/* The request of a nonblocking collective must not be freed (MPI-4.0, section 6.12). */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 1;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);
    MPI_Request_free(&r); /* @invalid-request */
    MPI_Finalize();
    return 0;
}
