/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of both kinds, and errno kept, over MPI calls. */
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    errno = 77;
    MPI_Barrier(MPI_COMM_WORLD);
    assert(errno == 77);
    printf("out %d\n", rank);
    fprintf(stderr, "err %d\n", rank);
    MPI_Finalize();
    return 0;
}
