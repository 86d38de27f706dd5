/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* What an eventfd counts is taken out once in each run (eventfd(2)); MPI says nothing about it. Only that
 * rank 0 got the message of rank 2 first is wrong: each run has the count that it began with. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <stdint.h>
#include <mpi.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, fd;
    uint64_t count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        assert((fd = eventfd(5, EFD_NONBLOCK)) >= 0);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(read(fd, &count, sizeof count) == sizeof count && count == 5);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
